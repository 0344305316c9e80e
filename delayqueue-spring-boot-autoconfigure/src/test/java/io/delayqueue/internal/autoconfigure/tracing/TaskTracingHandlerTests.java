// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.tracing;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.internal.observation.ContextKeys;
import io.micrometer.observation.Observation;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.TraceContext;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.propagation.Propagator;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TaskTracingHandlerTests {

    private static final Map<String, String> TRACE_ALONE =
            Map.of("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", "mine", "x");

    @Test
    void onStartWhenThePropagatorDoesNotNameItsBaggageReadsAllHeaders() {
        assertThat(read(List.of("traceparent", "tracestate"), true, TRACE_ALONE))
                .isNotEmpty();
        assertThat(read(List.of(), true, TRACE_ALONE)).isNotEmpty();
    }

    @Test
    void onStartWhenThereIsNoBaggageAmongTheHeadersReadsNoParent() {
        List<String> fields = List.of("traceparent", "tracestate", "baggage", "tenant");

        assertThat(read(fields, true, TRACE_ALONE)).isEmpty();
        assertThat(read(fields, true, Map.of("baggage", "a=b"))).isNotEmpty();
        assertThat(read(fields, true, Map.of("tenant", "a"))).isNotEmpty();
    }

    /** Returns what was extracted from. */
    private static List<Object> read(List<String> fields, boolean links, Map<String, String> headers) {
        List<Object> extracted = new ArrayList<>();
        Propagator propagator = new Propagator() {

            @Override
            public List<String> fields() {
                return fields;
            }

            @Override
            public <C> void inject(TraceContext context, @Nullable C carrier, Setter<C> setter) {}

            @Override
            public <C> Span.Builder extract(C carrier, Getter<C> getter) {
                extracted.add(carrier);
                return Span.Builder.NOOP;
            }
        };
        Observation.Context context = new Observation.Context();
        ContextKeys.putScheduledHeaders(context, headers);
        new TaskTracingHandler(Tracer.NOOP, propagator, links).onStart(context);
        return extracted;
    }
}
