// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

/**
 * The tasks of a queue that were scheduled with the same {@link ScheduleRequest.Builder#key}, for example for a tenant:
 * {@code queue.key("clinic-17").group("appointment-9").cancel()}. A lightweight, immutable, thread-safe handle.
 */
public interface KeyedQueue {

    /** Returns the queue. */
    String queue();

    /** Returns the key. */
    String name();

    /** Returns the task of this key that was scheduled without a group and with this id. */
    TaskHandle task(String id);

    /**
     * Returns the tasks of this key that were scheduled with this {@link ScheduleRequest.Builder#group}.
     *
     * @throws InvalidTaskException if the group is invalid
     */
    TaskGroup group(String group);
}
