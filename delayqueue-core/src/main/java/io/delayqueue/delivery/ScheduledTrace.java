// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.delivery;

import java.util.Map;

/** The context of a delivery observation that knows the trace of the schedule call. */
public interface ScheduledTrace {

    /**
     * Returns the task's headers, including those that a tracer added when the task was scheduled, such as
     * {@code traceparent}.
     */
    Map<String, String> scheduledHeaders();
}
