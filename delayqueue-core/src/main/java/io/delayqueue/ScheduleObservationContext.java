// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import io.delayqueue.internal.observation.ContextKeys;
import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.SenderContext;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Observation context of a call that schedules or changes tasks. Its carrier contains additional headers for the tasks,
 * for example from a tracer.
 */
public final class ScheduleObservationContext extends SenderContext<Map<String, String>> {

    private final String operation;
    private final String queue;
    private final @Nullable String id;

    public ScheduleObservationContext(String operation, String queue, @Nullable String id) {
        super((headers, name, value) -> Objects.requireNonNull(headers).put(name, value), Kind.PRODUCER);
        this.operation = operation;
        this.queue = queue;
        this.id = id;
        setCarrier(new LinkedHashMap<>());
    }

    /** Returns the operation: schedule, cancel, reschedule or update. */
    public String operation() {
        return operation;
    }

    /**
     * Returns the queue: "several" if tasks of several queues are scheduled together, "unknown" if the queue is not
     * configured.
     */
    public String queue() {
        return queue;
    }

    /** Returns the task's id; null for several tasks. */
    public @Nullable String id() {
        return id;
    }

    /**
     * Returns the outcome of the call in lower case; "mixed" if tasks had different outcomes, "error" if the call
     * failed, "unknown" until it has ended.
     */
    public String outcome() {
        return getOrDefault(ContextKeys.OUTCOME, "unknown");
    }
}
