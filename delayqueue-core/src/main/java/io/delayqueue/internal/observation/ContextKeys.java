// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.observation;

import io.micrometer.observation.Observation;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Keys of values that parts of the library pass to each other in the context of an observation. */
public final class ContextKeys {

    /** The outcome of a call or of a delivery, in lower case. */
    public static final String OUTCOME = "delayqueue.outcome";

    private static final String SCHEDULED = "delayqueue.scheduled-headers";

    private ContextKeys() {}

    /** Stores the headers of a delivered task, including those that a tracer added when the task was scheduled. */
    public static void putScheduledHeaders(Observation.Context context, Map<String, String> headers) {
        context.put(SCHEDULED, headers);
    }

    /** Returns the headers of the delivered task; null if the observation is not one of a delivery. */
    public static @Nullable Map<String, String> scheduledHeaders(Observation.Context context) {
        return context.get(SCHEDULED);
    }
}
