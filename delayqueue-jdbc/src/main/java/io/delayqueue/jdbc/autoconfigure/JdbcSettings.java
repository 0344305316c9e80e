// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc.autoconfigure;

import io.delayqueue.internal.autoconfigure.settings.DelayQueueProperties;
import io.delayqueue.internal.autoconfigure.settings.PropertyRule;
import io.delayqueue.internal.input.DurationText;
import io.delayqueue.internal.input.PrintableText;
import io.delayqueue.internal.jdbc.inbox.InboxCleanup;
import io.delayqueue.internal.jdbc.relay.RelaySettings;
import io.delayqueue.internal.jdbc.schema.TableNames;
import io.delayqueue.internal.queue.QueueCatalog;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The property values, checked against their bounds. */
final class JdbcSettings {

    private static final Logger log = LoggerFactory.getLogger(JdbcSettings.class);

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration YEAR = Duration.ofDays(365);
    private static final int CALLS_OF_A_LEASE = 4;

    /** Maximum number of committed rows in memory. Sweeps send the others. */
    private static final int MOST_FRESH_ROWS = 10_000;

    /** Maximum number of rows that one statement deletes. */
    private static final int ROWS_OF_A_CLEANUP = 500;

    private JdbcSettings() {}

    static TableNames tables(DelayQueueJdbcProperties properties) {
        return new TableNames(
                new PropertyRule<>(TableNames::isPrefix, "1 to 30 letters, digits or '_', not starting with a digit")
                        .check("delayqueue.jdbc.table-prefix", properties.tablePrefix()));
    }

    static RelaySettings relay(DelayQueueJdbcProperties.Relay relay, DelayQueueProperties.Redis redis) {
        Duration least = redis.commandTimeout().multipliedBy(CALLS_OF_A_LEASE);
        new PropertyRule<Duration>(
                        time -> time.compareTo(least) >= 0,
                        "at least four times delayqueue.redis.command-timeout ("
                                + DurationText.of(redis.commandTimeout()) + ")")
                .check("delayqueue.jdbc.relay.lease", relay.lease());
        return new RelaySettings(
                relay.enabled(),
                between("relay.lease", relay.lease(), SECOND, HOUR),
                between("relay.poll-interval", relay.pollInterval(), Duration.ofMillis(10), HOUR),
                between("relay.batch-size", relay.batchSize(), 1, 500),
                MOST_FRESH_ROWS,
                between("relay.longest-pause", relay.longestPause(), Duration.ofMillis(250), HOUR));
    }

    static InboxCleanup.Options cleanup(DelayQueueJdbcProperties.Inbox inbox) {
        return new InboxCleanup.Options(
                between("inbox.retention", inbox.retention(), Duration.ofMinutes(1), YEAR.multipliedBy(10)),
                between("inbox.cleanup-interval", inbox.cleanupInterval(), SECOND, Duration.ofDays(1)),
                ROWS_OF_A_CLEANUP);
    }

    private static <T extends Comparable<T>> T between(String name, T value, T least, T most) {
        return PropertyRule.between(least, most).check("delayqueue.jdbc." + name, value);
    }

    /** Returns the queues to check. An unknown queue may belong to another version of the application. */
    static Set<String> checkedQueues(DelayQueueJdbcProperties properties, QueueCatalog queues) {
        Set<String> unknown = new TreeSet<>(properties.checkBeforeDelivery());
        unknown.removeAll(queues.names());
        if (!unknown.isEmpty()) {
            log.warn(
                    "delayqueue.jdbc.check-before-delivery contains {}, which this process does not "
                            + "declare. Correct the name unless another version of the application has such a "
                            + "queue",
                    PrintableText.of(String.join(", ", unknown), 200));
        }
        return properties.checkBeforeDelivery();
    }

    static Duration maxOverdue(DelayQueueJdbcProperties properties) {
        return between("health.max-overdue", properties.health().maxOverdue(), SECOND, YEAR);
    }

    static Duration maxAge(DelayQueueJdbcProperties properties) {
        return between("health.max-age", properties.health().maxAge(), SECOND, YEAR);
    }
}
