// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.delivery;

/**
 * A task that is dead from now on, and kept with its reason unless its queue deletes such tasks: it {@linkplain TaskDied
 * died}, it was {@linkplain TaskExpired too late}, or it was {@linkplain TaskQuarantined quarantined}.
 *
 * <p>Spring Boot's starter publishes each as an application event, when the store has confirmed it, by the process that
 * brought it about. Listeners are called one after the other on a thread of their own
 * and may block. For alarms, not for booking: when 10,000 wait for slow listeners, further ones are left out, and an
 * event is lost with its process or with the answer of the store. {@link io.delayqueue.admin.DelayQueueAdmin} has what
 * is there.
 */
public sealed interface TaskDeath permits TaskDied, TaskExpired, TaskQuarantined {

    /** The queue in which it is dead. */
    String queue();

    /** Its id. That of a quarantined task may be any text. */
    String id();

    /** Why, as it is kept with the task: at most 256 printable characters, without payload. */
    String reason();
}
