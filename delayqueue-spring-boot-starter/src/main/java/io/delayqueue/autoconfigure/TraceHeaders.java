// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import io.micrometer.tracing.TraceContext;
import io.micrometer.tracing.Tracer;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads in which span a task was scheduled, for a link: from the headers of the W3C and of B3, which are those that Spring
 * Boot writes.
 */
final class TraceHeaders {

    private static final Pattern W3C = Pattern.compile("[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?");
    private static final Pattern B3 = Pattern.compile("([0-9a-f]{16,32})-([0-9a-f]{16})(?:-([01d]))?(?:-.*)?");
    private static final Pattern TRACE_ID = Pattern.compile("[0-9a-f]{16,32}");
    private static final Pattern SPAN_ID = Pattern.compile("[0-9a-f]{16}");

    private TraceHeaders() {}

    /** Returns null if there is none, or it cannot be read. */
    static @Nullable TraceContext read(Map<String, String> headers, Tracer tracer) {
        Matcher w3c = W3C.matcher(headers.getOrDefault("traceparent", ""));
        if (w3c.matches()) {
            boolean sampled = (Integer.parseInt(w3c.group(3), 16) & 1) == 1;
            return context(tracer, w3c.group(1), w3c.group(2), sampled);
        }
        Matcher b3 = B3.matcher(headers.getOrDefault("b3", ""));
        if (b3.matches()) {
            return context(tracer, padded(b3.group(1)), b3.group(2), !"0".equals(b3.group(3)));
        }
        String trace = headers.getOrDefault("X-B3-TraceId", "");
        String span = headers.getOrDefault("X-B3-SpanId", "");
        return TRACE_ID.matcher(trace).matches() && SPAN_ID.matcher(span).matches()
                ? context(tracer, padded(trace), span, !"0".equals(headers.get("X-B3-Sampled")))
                : null;
    }

    private static TraceContext context(Tracer tracer, String trace, String span, boolean sampled) {
        return tracer.traceContextBuilder()
                .traceId(trace)
                .spanId(span)
                .sampled(sampled)
                .build();
    }

    private static String padded(String traceId) {
        return "0".repeat(32 - traceId.length()) + traceId;
    }
}
