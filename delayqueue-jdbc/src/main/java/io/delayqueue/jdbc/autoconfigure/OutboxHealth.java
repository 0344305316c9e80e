// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc.autoconfigure;

import io.delayqueue.internal.jdbc.relay.OutboxStart;
import io.delayqueue.jdbc.DelayQueueOutbox;
import io.delayqueue.jdbc.OutboxStatistics;
import java.time.Duration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Health of the outbox: DOWN if rows wait too long for a sweep, if Redis has refused them for too long, or if the
 * database does not answer. Rejected operations are shown but do not affect the status.
 */
final class OutboxHealth extends AbstractHealthIndicator {

    private final OutboxStart start;
    private final ObjectProvider<DelayQueueOutbox> outbox;
    private final Duration maxOverdue;
    private final Duration maxAge;

    OutboxHealth(OutboxStart start, ObjectProvider<DelayQueueOutbox> outbox, Duration maxOverdue, Duration maxAge) {
        super("Could not read the outbox of the delay queues");
        this.start = start;
        this.outbox = outbox;
        this.maxOverdue = maxOverdue;
        this.maxAge = maxAge;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        if (!start.isUsed()) {
            builder.up().withDetail("used", false);
            return;
        }
        OutboxStatistics statistics = outbox.getObject().statistics();
        boolean late = statistics.overdue().compareTo(maxOverdue) > 0
                || statistics.oldest().compareTo(maxAge) > 0;
        (late ? builder.down() : builder.up())
                .withDetail("backlog", statistics.backlog())
                .withDetail("overdue", statistics.overdue())
                .withDetail("oldest", statistics.oldest())
                .withDetail("rejected", statistics.rejected());
    }
}
