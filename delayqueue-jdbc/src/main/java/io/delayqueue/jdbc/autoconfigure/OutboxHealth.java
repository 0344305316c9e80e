// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc.autoconfigure;

import io.delayqueue.jdbc.DelayQueueOutbox;
import io.delayqueue.jdbc.OutboxStatistics;
import java.time.Duration;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * DOWN where rows wait too long for a sweep, where Redis has refused them for too long, or where the database cannot be
 * asked. What was rejected is told, but does not count.
 */
final class OutboxHealth extends AbstractHealthIndicator {

    private final DelayQueueOutbox outbox;
    private final Duration maxOverdue;
    private final Duration maxAge;

    OutboxHealth(DelayQueueOutbox outbox, Duration maxOverdue, Duration maxAge) {
        super("The outbox of the delay queues cannot be read");
        this.outbox = outbox;
        this.maxOverdue = maxOverdue;
        this.maxAge = maxAge;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        OutboxStatistics statistics = outbox.statistics();
        boolean late = statistics.overdue().compareTo(maxOverdue) > 0
                || statistics.oldest().compareTo(maxAge) > 0;
        (late ? builder.down() : builder.up())
                .withDetail("backlog", statistics.backlog())
                .withDetail("overdue", statistics.overdue())
                .withDetail("oldest", statistics.oldest())
                .withDetail("rejected", statistics.rejected());
    }
}
