// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc.autoconfigure;

import java.time.Duration;
import java.util.Set;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.sql.init.DatabaseInitializationMode;

/**
 * Configuration properties of delayed tasks in a database's transactions.
 *
 * @param enabled Whether the outbox is in use. If not, there are none of its beans.
 * @param initializeSchema Where to create the tables, when the outbox or the inbox is first used.
 * @param tablePrefix With which the names of all tables begin; up to 30 letters, digits or '_'.
 * @param checkBeforeDelivery Queues of which this process looks into the outbox before each delivery, so that a cancel
 *     which has committed wins although it has not reached Redis.
 * @param relay How operations get from the outbox to Redis.
 * @param health When the outbox is not healthy.
 * @param inbox How long the inbox keeps what it has accepted.
 */
@ConfigurationProperties("delayqueue.jdbc")
public record DelayQueueJdbcProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("embedded") DatabaseInitializationMode initializeSchema,
        @DefaultValue("delayqueue_") String tablePrefix,
        @DefaultValue Set<String> checkBeforeDelivery,
        @DefaultValue Relay relay,
        @DefaultValue Health health,
        @DefaultValue Inbox inbox) {

    /**
     * How operations get from the outbox to Redis.
     *
     * @param enabled Whether this process sends. If not, its operations wait for the sweeps of others.
     * @param lease How long a row is left to the process that has written or taken it. At least four times
     *     delayqueue.redis.command-timeout, and 1s to 1h. After a crash its rows are sent when this has passed.
     * @param pollInterval How often a process looks for rows that others have left, 10ms to 1h. While it writes nothing and
     *     finds nothing, the pauses grow to 10 intervals, at most 10s.
     * @param batchSize Maximum number of rows that are sent together, 1 to 500.
     * @param longestPause Longest pause between two tries while Redis or the database fails, 250ms to 1h.
     */
    public record Relay(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("15s") Duration lease,
            @DefaultValue("1s") Duration pollInterval,
            @DefaultValue("500") int batchSize,
            @DefaultValue("5s") Duration longestPause) {}

    /**
     * When the outbox is not healthy.
     *
     * @param maxOverdue Longest time that a row may wait for a sweep before the health is DOWN, 1s to 365d.
     * @param maxAge Greatest age of a row, whose calls fail again and again, before the health is DOWN, 1s to 365d.
     */
    public record Health(
            @DefaultValue("5m") Duration maxOverdue,
            @DefaultValue("5m") Duration maxAge) {}

    /**
     * How long the inbox keeps what it has accepted.
     *
     * @param cleanup Whether this process deletes old rows of the inbox.
     * @param retention How long the inbox keeps what it has accepted, 1m to 3650d. Must be longer than a duplicate may be
     *     behind.
     * @param cleanupInterval Time from one look for old rows to the next, 1s to 1d.
     */
    public record Inbox(
            @DefaultValue("true") boolean cleanup,
            @DefaultValue("30d") Duration retention,
            @DefaultValue("10m") Duration cleanupInterval) {}
}
