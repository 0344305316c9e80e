// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc.autoconfigure;

import io.delayqueue.internal.jdbc.inbox.InboxCleanup;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * Settings of the inbox.
 *
 * @param cleanup whether this process deletes old rows of the inbox
 * @param retention how long the inbox keeps what it has accepted, which must be longer than a duplicate may be behind
 * @param cleanupInterval time from one look for old rows to the next
 * @param cleanupBatchSize number of old rows that one statement deletes at most
 */
@ConfigurationProperties(prefix = "delayqueue.jdbc.inbox", ignoreUnknownFields = false)
record DelayQueueInboxProperties(
        @DefaultValue("true") boolean cleanup,
        @DefaultValue("30d") Duration retention,
        @DefaultValue("10m") Duration cleanupInterval,
        @DefaultValue("500") int cleanupBatchSize) {

    private static final String PREFIX = "delayqueue.jdbc.inbox.";

    DelayQueueInboxProperties {
        require("retention", retention, Duration.ofMinutes(1), Duration.ofDays(3650), "between 1m and 3650d");
        require("cleanup-interval", cleanupInterval, Duration.ofSeconds(1), Duration.ofDays(1), "between 1s and 1d");
        require("cleanup-batch-size", cleanupBatchSize, 1, 10_000, "between 1 and 10000");
    }

    InboxCleanup.Options cleanupOptions() {
        return new InboxCleanup.Options(retention, cleanupInterval, cleanupBatchSize);
    }

    private static <T extends Comparable<T>> void require(String name, T value, T least, T most, String requirement) {
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw new InvalidConfigurationPropertyValueException(
                    PREFIX + name, value, "It must be " + requirement + ".");
        }
    }
}
