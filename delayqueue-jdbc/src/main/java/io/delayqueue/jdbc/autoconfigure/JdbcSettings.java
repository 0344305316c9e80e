// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc.autoconfigure;

import static io.delayqueue.internal.autoconfigure.settings.PropertyValue.between;

import io.delayqueue.autoconfigure.DelayQueueProperties;
import io.delayqueue.internal.autoconfigure.settings.PropertyValue;
import io.delayqueue.internal.input.DurationText;
import io.delayqueue.internal.input.PrintableText;
import io.delayqueue.internal.jdbc.inbox.InboxCleanup;
import io.delayqueue.internal.jdbc.relay.RelaySettings;
import io.delayqueue.internal.jdbc.schema.TableNames;
import io.delayqueue.queue.QueueCatalog;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The values of the properties, each within its bounds. */
final class JdbcSettings {

    private static final Logger log = LoggerFactory.getLogger(JdbcSettings.class);

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration YEAR = Duration.ofDays(365);
    private static final int CALLS_OF_A_LEASE = 4;

    private JdbcSettings() {}

    private static <T> PropertyValue<T> value(String name, T value) {
        return new PropertyValue<>("delayqueue.jdbc." + name, value);
    }

    static TableNames tables(DelayQueueJdbcProperties properties) {
        return new TableNames(value("table-prefix", properties.tablePrefix())
                .require(TableNames::isPrefix, "1 to 30 letters, digits or '_', and begin with no digit"));
    }

    static RelaySettings relay(DelayQueueJdbcProperties.Relay relay, DelayQueueProperties.Redis redis) {
        Duration least = redis.commandTimeout().multipliedBy(CALLS_OF_A_LEASE);
        PropertyValue<Duration> lease = value("relay.lease", relay.lease());
        lease.require(
                time -> time.compareTo(least) >= 0,
                "at least four times delayqueue.redis.command-timeout (" + DurationText.of(redis.commandTimeout())
                        + ")");
        return new RelaySettings(
                relay.enabled(),
                between(lease, SECOND, HOUR),
                between(value("relay.poll-interval", relay.pollInterval()), Duration.ofMillis(10), HOUR),
                between(value("relay.batch-size", relay.batchSize()), 1, 500),
                between(value("relay.buffer", relay.buffer()), 1, 1_000_000),
                between(value("relay.longest-pause", relay.longestPause()), Duration.ofMillis(250), HOUR));
    }

    static InboxCleanup.Options cleanup(DelayQueueJdbcProperties.Inbox inbox) {
        return new InboxCleanup.Options(
                between(value("inbox.retention", inbox.retention()), Duration.ofMinutes(1), YEAR.multipliedBy(10)),
                between(value("inbox.cleanup-interval", inbox.cleanupInterval()), SECOND, Duration.ofDays(1)),
                between(value("inbox.cleanup-batch-size", inbox.cleanupBatchSize()), 1, 10_000));
    }

    /** A queue that is not configured here may be one of another version of the application. */
    static Set<String> checkedQueues(DelayQueueJdbcProperties properties, QueueCatalog queues) {
        Set<String> unknown = new TreeSet<>(properties.checkBeforeDelivery());
        unknown.removeAll(queues.names());
        if (!unknown.isEmpty()) {
            log.warn(
                    "delayqueue.jdbc.check-before-delivery names {}, which this process does not have. Correct the name"
                            + " unless another version of the application has such a queue",
                    PrintableText.of(String.join(", ", unknown), 200));
        }
        return properties.checkBeforeDelivery();
    }

    static Duration maxOverdue(DelayQueueJdbcProperties properties) {
        return between(value("health.max-overdue", properties.health().maxOverdue()), SECOND, YEAR);
    }

    static Duration maxAge(DelayQueueJdbcProperties properties) {
        return between(value("health.max-age", properties.health().maxAge()), SECOND, YEAR);
    }
}
