// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.delivery;

/**
 * Event for a task that became dead because it {@linkplain TaskDied died}, was {@linkplain TaskExpired too late} or was
 * {@linkplain TaskQuarantined quarantined}. The task is kept with its reason, unless its queue deletes such tasks.
 *
 * <p>The starter publishes each event as an application event in the process that caused it, after the store has
 * confirmed the change. Listeners are called one after another on a separate thread and may block. Use these events for
 * alerts, not for accounting: events are dropped while 10,000 others wait for slow listeners, and are lost if the
 * process dies or the store's reply is lost. {@link io.delayqueue.admin.DelayQueueAdmin} returns the existing dead
 * tasks.
 */
public sealed interface TaskDeath permits TaskDied, TaskExpired, TaskQuarantined {

    /** Returns the queue of the task. */
    String queue();

    /** Returns the task's id. The id of a quarantined task may be any text. */
    String id();

    /** Returns the reason that is stored with the task: at most 256 printable characters, without payload. */
    String reason();
}
