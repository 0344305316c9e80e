// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc.autoconfigure;

import java.time.Duration;
import java.util.Set;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.sql.init.DatabaseInitializationMode;

/**
 * Configuration properties of delayed tasks in database transactions.
 *
 * @param enabled Whether the application may use the outbox and the inbox. If not, their beans do not exist.
 * @param initializeSchema When to create the tables, on first use of the outbox or the inbox: 'embedded' (only in an
 *     embedded database), 'always' or 'never'.
 * @param tablePrefix Prefix of all table names: up to 30 letters, digits or '_', not starting with a digit.
 * @param checkBeforeDelivery Queues for which this process checks the outbox before each delivery, so that a committed
 *     cancel takes effect even before it reaches Redis.
 * @param relay Settings for the relay, which sends operations from the outbox to Redis.
 * @param health Limits for the health of the outbox.
 * @param inbox Settings for the inbox.
 */
@ConfigurationProperties("delayqueue.jdbc")
record DelayQueueJdbcProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("embedded") DatabaseInitializationMode initializeSchema,
        @DefaultValue("delayqueue_") String tablePrefix,
        @DefaultValue Set<String> checkBeforeDelivery,
        @DefaultValue Relay relay,
        @DefaultValue Health health,
        @DefaultValue Inbox inbox) {

    /**
     * Settings for the relay, which sends operations from the outbox to Redis.
     *
     * @param enabled Whether this process sends operations to Redis. If not, they wait until other processes sweep
     *     them.
     * @param lease How long a row belongs to the process that wrote or took it, 1 s to 1 h, and at least four times the
     *     command time-out. If the process crashes, other processes send its rows after this time.
     * @param pollInterval How often a process looks for rows that other processes have left, 10 ms to 1 h. While it
     *     writes no rows and finds none, the pauses grow to ten intervals, at most 10 s.
     * @param batchSize Maximum number of rows that are sent together, 1 to 500.
     * @param longestPause Longest pause between two attempts while Redis or the database fails, 250 ms to 1 h.
     */
    public record Relay(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("15s") Duration lease,
            @DefaultValue("1s") Duration pollInterval,
            @DefaultValue("500") int batchSize,
            @DefaultValue("5s") Duration longestPause) {}

    /**
     * Limits for the health of the outbox.
     *
     * @param maxOverdue How long a row may wait for a sweep before the health status is DOWN, 1 s to 365 days.
     * @param maxAge How old a row whose calls fail may become before the health status is DOWN, 1 s to 365 days.
     */
    public record Health(
            @DefaultValue("5m") Duration maxOverdue,
            @DefaultValue("5m") Duration maxAge) {}

    /**
     * Settings for the inbox.
     *
     * @param cleanup Whether this process deletes old rows of the inbox.
     * @param retention How long the inbox keeps accepted task keys, 1 minute to 3650 days. Choose a time
     *     that is longer than the delay of any duplicate.
     * @param cleanupInterval Time between two searches for old rows, 1 s to 1 day.
     */
    public record Inbox(
            @DefaultValue("true") boolean cleanup,
            @DefaultValue("30d") Duration retention,
            @DefaultValue("10m") Duration cleanupInterval) {}
}
