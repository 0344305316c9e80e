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
 * @param enabled Whether to provide the outbox and the inbox. delayqueue.transactions decides whether calls use the
 *     outbox.
 * @param initializeSchema Whether to create the tables when the outbox or the inbox is first used: only in embedded
 *     databases, always, or never.
 * @param tablePrefix Prefix of all table names, up to 30 letters, digits or '_'.
 * @param checkBeforeDelivery Queues for which this process reads the outbox before each delivery, so that a committed
 *     cancel wins even if it has not reached Redis.
 * @param relay Sending of operations from the outbox to Redis.
 * @param health Limits of the outbox's health.
 * @param inbox Retention of the inbox.
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
     * Sending of operations from the outbox to Redis.
     *
     * @param enabled Whether this process sends operations. If not, the sweeps of other processes send its operations.
     * @param lease Time for which a row is reserved for the process that wrote or took it, 1s to 1h and at least four
     *     times delayqueue.redis.command-timeout. After a crash, other processes send its rows when this time has
     *     passed.
     * @param pollInterval Interval at which a process searches for rows that other processes have left, 10ms to 1h.
     *     While it writes and finds nothing, the interval grows up to tenfold, to at most 10s.
     * @param batchSize Maximum number of rows that are sent together, 1 to 500.
     * @param longestPause Maximum pause between retries while Redis or the database fails, 250ms to 1h.
     */
    public record Relay(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("15s") Duration lease,
            @DefaultValue("1s") Duration pollInterval,
            @DefaultValue("500") int batchSize,
            @DefaultValue("5s") Duration longestPause) {}

    /**
     * Limits of the outbox's health.
     *
     * @param maxOverdue Maximum time that a row may wait for a sweep before the health is DOWN, 1s to 365d.
     * @param maxAge Maximum age of a row whose calls keep failing before the health is DOWN, 1s to 365d.
     */
    public record Health(
            @DefaultValue("5m") Duration maxOverdue,
            @DefaultValue("5m") Duration maxAge) {}

    /**
     * Retention of the inbox.
     *
     * @param cleanup Whether this process deletes old rows of the inbox.
     * @param retention How long the inbox keeps accepted tasks, 1m to 3650d. Must be longer than a duplicate can be
     *     delayed.
     * @param cleanupInterval Time between two clean-ups, 1s to 1d.
     */
    public record Inbox(
            @DefaultValue("true") boolean cleanup,
            @DefaultValue("30d") Duration retention,
            @DefaultValue("10m") Duration cleanupInterval) {}
}
