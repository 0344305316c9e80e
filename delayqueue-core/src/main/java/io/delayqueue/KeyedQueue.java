// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

/**
 * A handle on the tasks of a queue that were scheduled with the same {@link ScheduleRequest.Builder#key}, such as a
 * tenant: {@code queue.key("clinic-17").group("appointment-9").cancel()}. Lightweight, immutable and thread-safe.
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
     * @throws InvalidTaskException if no task can have such a group
     */
    TaskGroup group(String group);
}
