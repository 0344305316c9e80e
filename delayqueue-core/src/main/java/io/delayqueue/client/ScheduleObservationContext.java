// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.client;

import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.SenderContext;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The context of the observation of a call that schedules or changes tasks. Its carrier is the headers that the tasks get in
 * addition: what a tracer writes there travels with them.
 */
public final class ScheduleObservationContext extends SenderContext<Map<String, String>> {

    private final String operation;
    private final String queue;
    private final @Nullable String id;
    private volatile String outcome = "unknown";

    ScheduleObservationContext(String operation, String queue, @Nullable String id) {
        super((headers, name, value) -> Objects.requireNonNull(headers).put(name, value), Kind.PRODUCER);
        this.operation = operation;
        this.queue = queue;
        this.id = id;
        setCarrier(new LinkedHashMap<>());
    }

    /** What is done: schedule, cancel, reschedule or update. */
    public String operation() {
        return operation;
    }

    /**
     * The queue; "several" where tasks of more than one are scheduled together, "unknown" where no queue of the name is
     * configured.
     */
    public String queue() {
        return queue;
    }

    /** The id of the task; null where there are many. */
    public @Nullable String id() {
        return id;
    }

    /**
     * What came of it, in small letters: one of the outcomes of the call, "mixed" where tasks had several, "error" where it
     * failed, "unknown" until it has ended.
     */
    public String outcome() {
        return outcome;
    }

    void setOutcome(String outcome) {
        this.outcome = outcome;
    }
}
