// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.tracing;

import io.delayqueue.internal.observation.ContextKeys;
import io.micrometer.observation.Observation;
import io.micrometer.observation.transport.SenderContext;
import io.micrometer.tracing.Link;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.TraceContext;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.handler.TracingObservationHandler;
import io.micrometer.tracing.propagation.Propagator;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Creates spans for deliveries. Reads the headers that a tracer wrote when the task was scheduled, propagates the
 * baggage, and links to the trace or continues it. For deliveries to a broker, writes the new context to the message.
 *
 * @param links whether a delivery starts a new trace with a link
 */
record TaskTracingHandler(Tracer tracer, Propagator propagator, boolean links)
        implements TracingObservationHandler<Observation.Context> {

    static final int ORDER = 0;

    @Override
    public boolean supportsContext(Observation.Context context) {
        return ContextKeys.scheduledHeaders(context) != null;
    }

    @Override
    public void onStart(Observation.Context context) {
        Map<String, String> headers = Objects.requireNonNull(ContextKeys.scheduledHeaders(context));
        Span.Builder builder = propagator.extract(headers, TaskTracingHandler::header);
        if (links) {
            builder.setNoParent();
            TraceContext scheduled = TraceHeaders.read(headers, tracer);
            if (scheduled != null) {
                builder.addLink(new Link(scheduled));
            }
        }
        boolean sends = context instanceof SenderContext<?>;
        Span span =
                builder.kind(sends ? Span.Kind.PRODUCER : Span.Kind.CONSUMER).start();
        getTracingContext(context).setSpan(span);
        if (context instanceof SenderContext<?> sender) {
            inject(sender, span);
        }
    }

    private <C> void inject(SenderContext<C> sender, Span span) {
        C carrier = Objects.requireNonNull(sender.getCarrier());
        propagator.inject(span.context(), carrier, sender.getSetter()::set);
    }

    private static @Nullable String header(Map<String, String> headers, String name) {
        return headers.get(name);
    }

    @Override
    public void onStop(Observation.Context context) {
        Span span = getRequiredSpan(context);
        if (!span.isNoop()) {
            tagSpan(context, span);
            span.name(getSpanName(context));
        }
        endSpan(context, span);
    }

    @Override
    public Tracer getTracer() {
        return tracer;
    }
}
