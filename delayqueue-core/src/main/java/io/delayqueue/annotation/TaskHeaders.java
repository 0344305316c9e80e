// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.annotation;

/**
 * Names of additional headers that a listener method can receive. The headers for type, version, expiry, hours and
 * local time are stored with the task, so {@link io.delayqueue.handler.DelayedTask#headers()} also contains them. The
 * others are available only to listener methods.
 */
public final class TaskHeaders {

    /** The queue, as a String. */
    public static final String QUEUE = "dq-queue";

    /** The task's id, as a String. */
    public static final String ID = "dq-id";

    /** Identifies one scheduled task in all its deliveries, as a String. */
    public static final String TASK_KEY = "dq-task-key";

    /** The type of the payload, as a String, if its class has a {@link TaskType}. */
    public static final String TYPE = "dq-type";

    /** The version of the payload, as a String of digits, if its class has a {@link PayloadVersion}. */
    public static final String VERSION = "dq-version";

    /** The maximum lateness of the delivery in milliseconds, as a String of digits, if the request sets it. */
    public static final String EXPIRES_AFTER = "dq-expires-after";

    /** The delivery hours of the task, if the request sets them, for {@link io.delayqueue.DeliveryWindow#parse}. */
    public static final String WINDOW = "dq-window";

    /**
     * The local time and zone of the first due time, if the request uses them, such as
     * {@code 2027-03-28T09:30[Europe/Berlin]=1806219000000}; the number is that due time. It does not change with a
     * reschedule or a further round.
     */
    public static final String LOCAL_TIME = "dq-local-time";

    /** The due time of the task, as a {@link java.time.Instant}. */
    public static final String DUE_AT = "dq-due-at";

    /** The key of the task, as a String. Absent for a task without a key. */
    public static final String KEY = "dq-key";

    /** The group of the task, as a String. Absent for a task without a group. */
    public static final String GROUP = "dq-group";

    /** The number of the attempt, from 1, as an int. */
    public static final String ATTEMPT = "dq-attempt";

    /** How long the task had been due when the method was called, as a {@link java.time.Duration}. */
    public static final String LATENESS = "dq-lateness";

    /** The fencing token, as a long. */
    public static final String FENCING_TOKEN = "dq-fencing-token";

    private TaskHeaders() {}
}
