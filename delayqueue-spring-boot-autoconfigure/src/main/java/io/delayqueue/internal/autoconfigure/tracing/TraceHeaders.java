// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.tracing;

import io.micrometer.tracing.TraceContext;
import io.micrometer.tracing.Tracer;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the span of the schedule call, for a link. Supports W3C and B3 headers, which Spring Boot writes. Avoids
 * regular expressions, because this runs for every delivery.
 */
final class TraceHeaders {

    private static final int SHORT_TRACE_ID = 16;
    private static final int TRACE_ID = 32;
    private static final int SPAN_ID = 16;

    private TraceHeaders() {}

    /** Returns whether a header with this name contains only trace context. */
    static boolean isOfTrace(String name) {
        return switch (name) {
            case "traceparent", "tracestate", "b3" -> true;
            default -> name.startsWith("X-B3-");
        };
    }

    /** Returns null if the headers contain no valid span. */
    static @Nullable TraceContext read(Map<String, String> headers, Tracer tracer) {
        String w3c = headers.get("traceparent");
        TraceContext context = (w3c == null) ? null : ofW3c(w3c, tracer);
        if (context != null) {
            return context;
        }
        String b3 = headers.get("b3");
        context = (b3 == null) ? null : ofB3(b3, tracer);
        return (context != null) ? context : ofSeveral(headers, tracer);
    }

    /** {@code version-trace-span-flags}; ignores anything that later versions append. */
    private static @Nullable TraceContext ofW3c(String header, Tracer tracer) {
        int trace = 3;
        int span = trace + TRACE_ID + 1;
        int flags = span + SPAN_ID + 1;
        int end = flags + 2;
        boolean reads = header.length() >= end
                && (header.length() == end || header.charAt(end) == '-')
                && isHex(header, 0, trace - 1)
                && header.charAt(trace - 1) == '-'
                && isHex(header, trace, span - 1)
                && header.charAt(span - 1) == '-'
                && isHex(header, span, flags - 1)
                && header.charAt(flags - 1) == '-'
                && isHex(header, flags, end);
        return reads
                ? context(
                        tracer,
                        header.substring(trace, span - 1),
                        header.substring(span, flags - 1),
                        (Character.digit(header.charAt(end - 1), 16) & 1) == 1)
                : null;
    }

    /** {@code trace-span}, optionally with {@code -sampled} and {@code -parent}. */
    private static @Nullable TraceContext ofB3(String header, Tracer tracer) {
        String[] parts = header.split("-", -1);
        return parts.length >= 2 ? ofB3(parts[0], parts[1], parts.length > 2 ? parts[2] : null, tracer) : null;
    }

    private static @Nullable TraceContext ofSeveral(Map<String, String> headers, Tracer tracer) {
        String trace = headers.get("X-B3-TraceId");
        String span = headers.get("X-B3-SpanId");
        return (trace != null && span != null) ? ofB3(trace, span, headers.get("X-B3-Sampled"), tracer) : null;
    }

    private static @Nullable TraceContext ofB3(String trace, String span, @Nullable String sampled, Tracer tracer) {
        boolean reads = trace.length() >= SHORT_TRACE_ID
                && trace.length() <= TRACE_ID
                && isHex(trace, 0, trace.length())
                && span.length() == SPAN_ID
                && isHex(span, 0, SPAN_ID);
        return reads
                ? context(tracer, "0".repeat(TRACE_ID - trace.length()) + trace, span, !"0".equals(sampled))
                : null;
    }

    /** Accepts only lower case, as all writers of these headers use it. */
    private static boolean isHex(String text, int from, int to) {
        for (int i = from; i < to; i++) {
            char digit = text.charAt(i);
            if (!(digit >= '0' && digit <= '9' || digit >= 'a' && digit <= 'f')) {
                return false;
            }
        }
        return true;
    }

    private static TraceContext context(Tracer tracer, String trace, String span, boolean sampled) {
        return tracer.traceContextBuilder()
                .traceId(trace)
                .spanId(span)
                .sampled(sampled)
                .build();
    }
}
