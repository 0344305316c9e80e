// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.annotation;

/** Names of the headers that a listener method may ask for besides the task's own. */
public final class TaskHeaders {

    /** The queue, a String. */
    public static final String QUEUE = "dq-queue";

    /** The task's id, a String. */
    public static final String ID = "dq-id";

    /** What is the same in all deliveries of one scheduled task, and of no other task; a String. */
    public static final String TASK_KEY = "dq-task-key";

    /** The type of the payload, a String, where its class has a {@link TaskType}. */
    public static final String TYPE = "dq-type";

    /** The version of the payload, a String of digits, where its class has a {@link PayloadVersion}. */
    public static final String VERSION = "dq-version";

    /**
     * For how many milliseconds a task may be overdue when it is delivered, a String of digits, where its request said so.
     */
    public static final String EXPIRES_AFTER = "dq-expires-after";

    /** The window in which the task may be delivered, a String, where its request said so. */
    public static final String WINDOW = "dq-window";

    /** The local time and zone of the task's due time, a String, where its request said so. */
    public static final String LOCAL_TIME = "dq-local-time";

    /** When the task was due, a {@link java.time.Instant}. */
    public static final String DUE_AT = "dq-due-at";

    /** The key that the task was scheduled with, a String; not there for a task without one. */
    public static final String KEY = "dq-key";

    /** The group that the task was scheduled with, a String; not there for a task without one. */
    public static final String GROUP = "dq-group";

    /** Which attempt this is, from 1, an int. */
    public static final String ATTEMPT = "dq-attempt";

    /** How long the task had been due when the method was called, a {@link java.time.Duration}. */
    public static final String LATENESS = "dq-lateness";

    /** The fencing token, a long. */
    public static final String FENCING_TOKEN = "dq-fencing-token";

    private TaskHeaders() {}
}
