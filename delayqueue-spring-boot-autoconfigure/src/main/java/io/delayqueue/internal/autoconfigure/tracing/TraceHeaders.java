// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.tracing;

import io.micrometer.tracing.TraceContext;
import io.micrometer.tracing.Tracer;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the span of the schedule call from the W3C header that Spring Boot writes by default, so that a delivery can
 * link to it. Avoids regular expressions, because this runs for every delivery.
 */
final class TraceHeaders {

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

    /** Returns the span in the headers; null if they contain no valid one. */
    static @Nullable TraceContext read(Map<String, String> headers, Tracer tracer) {
        String header = headers.get("traceparent");
        return (header == null) ? null : read(header, tracer);
    }

    /** Parses {@code version-trace-span-flags}. Ignores parts that later versions append. */
    private static @Nullable TraceContext read(String header, Tracer tracer) {
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
                ? tracer.traceContextBuilder()
                        .traceId(header.substring(trace, span - 1))
                        .spanId(header.substring(span, flags - 1))
                        .sampled((Character.digit(header.charAt(end - 1), 16) & 1) == 1)
                        .build()
                : null;
    }

    /** Returns whether a part is lower-case hexadecimal, as required in these headers. */
    private static boolean isHex(String text, int from, int to) {
        for (int i = from; i < to; i++) {
            char digit = text.charAt(i);
            if (!(digit >= '0' && digit <= '9' || digit >= 'a' && digit <= 'f')) {
                return false;
            }
        }
        return true;
    }
}
