// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.queue;

import io.delayqueue.DeliveryWindow;
import io.delayqueue.WorkingDays;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * When tasks of a queue may be delivered. Every process that schedules into the queue or delivers from it should have the same.
 *
 * @param expiresAfter how long a task may be overdue when it is delivered, where its request does not say so; null for
 *     any time
 * @param expired what becomes of a task that is overdue by more
 * @param window in which tasks are delivered whose requests name none; null for any time
 * @param calendars by the names that windows have for them
 * @param misfireAfter how long a task may be overdue when it is delivered for the first time; what an outage or a backlog has
 *     kept from that for longer is dropped. Null for any time
 * @param latestOfGroup whether of what would be dropped for that the latest task of each group is delivered all the same, and
 *     each task that has no group
 */
public record TimingSettings(
        @Nullable Duration expiresAfter,
        Expired expired,
        @Nullable DeliveryWindow window,
        Map<String, WorkingDays> calendars,
        @Nullable Duration misfireAfter,
        boolean latestOfGroup) {

    /** Every task is delivered, however late. */
    public static final TimingSettings NONE = new TimingSettings(null, Expired.DEAD, null, Map.of(), null, false);

    public TimingSettings {
        if (expiresAfter != null) {
            Bound.EXPIRES_AFTER.check("expires-after", expiresAfter);
        }
        if (window != null && window.calendar() != null && !calendars.containsKey(window.calendar())) {
            throw new IllegalArgumentException("There is no calendar '" + window.calendar() + "' for a window");
        }
        if (misfireAfter != null) {
            Bound.EXPIRES_AFTER.check("misfire.threshold", misfireAfter);
        }
        calendars = Map.copyOf(calendars);
    }

    /** The same, without windows. */
    public TimingSettings(@Nullable Duration expiresAfter, Expired expired) {
        this(expiresAfter, expired, null, Map.of(), null, false);
    }

    /** The same for tasks of groups and for others. */
    public TimingSettings(
            @Nullable Duration expiresAfter,
            Expired expired,
            @Nullable DeliveryWindow window,
            Map<String, WorkingDays> calendars,
            @Nullable Duration misfireAfter) {
        this(expiresAfter, expired, window, calendars, misfireAfter, false);
    }

    /** The same, with these hours for tasks that do not name theirs. */
    public TimingSettings within(DeliveryWindow hours) {
        return new TimingSettings(expiresAfter, expired, hours, calendars, misfireAfter, latestOfGroup);
    }

    /** The same, with these calendars. */
    public TimingSettings with(Map<String, WorkingDays> known) {
        return new TimingSettings(expiresAfter, expired, window, known, misfireAfter, latestOfGroup);
    }

    /** The same, which drops what is overdue by more when it would be delivered for the first time. */
    public TimingSettings droppingMisfires(Duration after) {
        return new TimingSettings(expiresAfter, expired, window, calendars, after, false);
    }

    /**
     * The same, which of a group's tasks that are overdue by more when they would be delivered for the first time delivers the
     * latest alone, and drops the others. Of tasks that have no group it delivers all. The latest is the one with the greatest
     * due time of those that are overdue so much in the group's shard at that moment. It may still be too late by its own
     * {@link #expiresAfter}; then none is delivered. Where more than 1,000 tasks of the group wait for a later time, were tried
     * or are dead, earlier ones may be delivered too, since a call to Redis looks at no more.
     */
    public TimingSettings deliveringLatestOfGroups(Duration after) {
        return new TimingSettings(expiresAfter, expired, window, calendars, after, true);
    }

    /** How long a task may be overdue at its first attempt where misfires are dropped and nothing else is said. */
    public static final Duration MISFIRE_THRESHOLD = Duration.ofMinutes(1);

    /** What becomes of tasks whose first attempt is late, such as after an outage. */
    public enum Misfires {
        /** All are delivered, as fast as can be or at {@link TriggerSettings#catchUpRate}. */
        DELIVER_ALL,
        /** Those that are overdue by more than a threshold are deleted. */
        DROP,
        /** Of those of a group that are overdue by more than a threshold the latest is delivered; the others are deleted. */
        LATEST_OF_GROUP
    }

    /** What becomes of a task that is too late. */
    public enum Expired {
        /** It is kept as a dead task with the reason {@code expired}, unless the queue keeps none. */
        DEAD,
        /** It is deleted. */
        DROPPED
    }
}
