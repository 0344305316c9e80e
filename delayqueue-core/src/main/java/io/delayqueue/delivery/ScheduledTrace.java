// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.delivery;

import java.util.Map;

/** The context of an observation of a delivery, which knows in what trace its task was scheduled. */
public interface ScheduledTrace {

    /**
     * The task's headers. Those that a tracer added when the task was scheduled, such as {@code traceparent}, are among
     * them.
     */
    Map<String, String> scheduledHeaders();
}
