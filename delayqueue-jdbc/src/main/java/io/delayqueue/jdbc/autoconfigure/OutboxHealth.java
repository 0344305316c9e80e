// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc.autoconfigure;

import io.delayqueue.jdbc.DelayQueueOutbox;
import io.delayqueue.jdbc.OutboxStatistics;
import java.time.Duration;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * DOWN where rows wait for too long, or where the database cannot be asked. What was rejected is told, but does not
 * count.
 */
final class OutboxHealth extends AbstractHealthIndicator {

    private final DelayQueueOutbox outbox;
    private final Duration maxOverdue;

    OutboxHealth(DelayQueueOutbox outbox, Duration maxOverdue) {
        super("The outbox of the delay queues cannot be read");
        this.outbox = outbox;
        this.maxOverdue = maxOverdue;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        OutboxStatistics statistics = outbox.statistics();
        boolean late = statistics.overdue().compareTo(maxOverdue) > 0;
        (late ? builder.down() : builder.up())
                .withDetail("backlog", statistics.backlog())
                .withDetail("overdue", statistics.overdue())
                .withDetail("rejected", statistics.rejected());
    }
}
