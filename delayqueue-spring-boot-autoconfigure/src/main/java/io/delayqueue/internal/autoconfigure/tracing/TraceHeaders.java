// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.tracing;

import io.micrometer.tracing.TraceContext;
import io.micrometer.tracing.Tracer;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the span of the schedule call from the W3C header that Spring Boot writes by default, so that a delivery can
 * link to it.
 */
final class TraceHeaders {

    /** Pattern for {@code version-trace-span-flags}. Ignores anything that later versions append. */
    private static final Pattern TRACEPARENT =
            Pattern.compile("[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]([0-9a-f])(?:-.*)?");

    private TraceHeaders() {}

    /** Returns the span in the headers; null if they contain no valid one. */
    static @Nullable TraceContext read(Map<String, String> headers, Tracer tracer) {
        Matcher parts = TRACEPARENT.matcher(headers.getOrDefault("traceparent", ""));
        return parts.matches()
                ? tracer.traceContextBuilder()
                        .traceId(parts.group(1))
                        .spanId(parts.group(2))
                        .sampled((Character.digit(parts.group(3).charAt(0), 16) & 1) == 1)
                        .build()
                : null;
    }
}
