// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.delivery;

/**
 * An event for a task that has become dead and is kept with its reason, unless its queue deletes such tasks: it
 * {@linkplain TaskDied died}, it was {@linkplain TaskExpired too late}, or it was
 * {@linkplain TaskQuarantined quarantined}.
 *
 * <p>Spring Boot's starter publishes each as an application event, after the store has confirmed it, in the process
 * that caused it. Listeners are called one after the other on a separate thread and may block. Use these events for
 * alerts, not for accounting: further events are dropped while 10,000 wait for slow listeners, and an event is lost if
 * its process dies or the store's reply is lost. {@link io.delayqueue.admin.DelayQueueAdmin} returns the existing dead
 * tasks.
 */
public sealed interface TaskDeath permits TaskDied, TaskExpired, TaskQuarantined {

    /** Returns the queue of the task. */
    String queue();

    /** Returns the task's id. The id of a quarantined task may be any text. */
    String id();

    /** Returns the reason stored with the task: at most 256 printable characters, without payload. */
    String reason();
}
