// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc.autoconfigure;

import io.delayqueue.autoconfigure.DelayQueueProperties;
import io.delayqueue.internal.input.DurationText;
import io.delayqueue.internal.input.PrintableText;
import io.delayqueue.internal.jdbc.relay.RelaySettings;
import io.delayqueue.internal.jdbc.schema.TableNames;
import io.delayqueue.jdbc.InvalidJdbcSetupException;
import io.delayqueue.queue.QueueCatalog;
import java.time.Duration;
import java.util.Set;

/** The values of the properties, each within its bounds. */
final class JdbcSettings {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration YEAR = Duration.ofDays(365);
    private static final int CALLS_OF_A_LEASE = 4;

    private JdbcSettings() {}

    static TableNames tables(DelayQueueJdbcProperties properties) {
        String prefix = properties.tablePrefix();
        if (!TableNames.isPrefix(prefix)) {
            throw refused(
                    "table-prefix",
                    PrintableText.of(prefix, 60),
                    "1 to 30 letters, digits or '_', and begin with no digit");
        }
        return new TableNames(prefix);
    }

    static RelaySettings relay(DelayQueueJdbcProperties.Relay relay, DelayQueueProperties.Redis redis) {
        Duration timeout = redis.commandTimeout();
        Duration lease = within("relay.lease", relay.lease(), Duration.ofSeconds(1), HOUR);
        if (lease.compareTo(timeout.multipliedBy(CALLS_OF_A_LEASE)) < 0) {
            throw refused(
                    "relay.lease",
                    DurationText.of(lease),
                    "at least four times delayqueue.redis.command-timeout (" + DurationText.of(timeout) + ")");
        }
        return new RelaySettings(
                lease,
                within("relay.poll-interval", relay.pollInterval(), Duration.ofMillis(10), HOUR),
                within("relay.batch-size", relay.batchSize(), 500),
                within("relay.buffer", relay.buffer(), 1_000_000),
                within("relay.longest-pause", relay.longestPause(), Duration.ofMillis(250), HOUR));
    }

    static Set<String> checkedQueues(DelayQueueJdbcProperties properties, QueueCatalog queues) {
        for (String queue : properties.checkBeforeDelivery()) {
            if (!queues.names().contains(queue)) {
                throw refused("check-before-delivery", PrintableText.of(queue, 60), "names of configured queues");
            }
        }
        return properties.checkBeforeDelivery();
    }

    static Duration maxOverdue(DelayQueueJdbcProperties properties) {
        return within("health.max-overdue", properties.health().maxOverdue(), Duration.ofSeconds(1), YEAR);
    }

    static Duration maxAge(DelayQueueJdbcProperties properties) {
        return within("health.max-age", properties.health().maxAge(), Duration.ofSeconds(1), YEAR);
    }

    private static Duration within(String name, Duration value, Duration least, Duration most) {
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw refused(
                    name,
                    DurationText.of(value),
                    "between " + DurationText.of(least) + " and " + DurationText.of(most));
        }
        return value;
    }

    private static int within(String name, int value, int most) {
        if (value < 1 || value > most) {
            throw refused(name, String.valueOf(value), "between 1 and " + most);
        }
        return value;
    }

    private static InvalidJdbcSetupException refused(String name, String value, String requirement) {
        return new InvalidJdbcSetupException("The property delayqueue.jdbc." + name + " is '" + value
                + "', but must be " + requirement + ". Set it to such a value");
    }
}
