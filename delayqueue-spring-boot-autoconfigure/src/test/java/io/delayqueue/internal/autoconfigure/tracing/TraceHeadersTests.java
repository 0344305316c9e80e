// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.tracing;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.tracing.TraceContext;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.otel.bridge.OtelCurrentTraceContext;
import io.micrometer.tracing.otel.bridge.OtelTracer;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TraceHeadersTests {

    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String SPAN = "00f067aa0ba902b7";

    private static final Tracer TRACER =
            new OtelTracer(SdkTracerProvider.builder().build().get("test"), new OtelCurrentTraceContext(), event -> {});

    @ParameterizedTest
    @CsvSource({"00-%s-%s-01, true", "00-%s-%s-00, false", "00-%s-%s-03, true", "cc-%s-%s-01-what-comes-later, true"})
    void readWhenThereIsATraceparentFindsItsSpan(String header, boolean sampled) {
        assertFound(Map.of("traceparent", header.formatted(TRACE, SPAN)), TRACE, sampled);
    }

    @ParameterizedTest
    @CsvSource({"%s-%s, true", "%s-%s-1, true", "%s-%s-0, false", "%s-%s-d, true", "%s-%s-0-1234567890abcdef, false"})
    void readWhenThereIsAB3HeaderFindsItsSpan(String header, boolean sampled) {
        assertFound(Map.of("b3", header.formatted(TRACE, SPAN)), TRACE, sampled);
    }

    @Test
    void readWhenThereAreSeveralB3HeadersFindsTheirSpan() {
        assertFound(Map.of("X-B3-TraceId", TRACE, "X-B3-SpanId", SPAN, "X-B3-Sampled", "0"), TRACE, false);
        assertFound(Map.of("X-B3-TraceId", TRACE, "X-B3-SpanId", SPAN), TRACE, true);
    }

    @Test
    void readWhenATraceIdIsShortFillsItUp() {
        assertFound(Map.of("b3", "a3ce929d0e0e4736-" + SPAN), "0000000000000000a3ce929d0e0e4736", true);
    }

    @Test
    void readWhenTheTraceparentCannotBeReadTriesTheOthers() {
        assertFound(Map.of("traceparent", "nonsense", "b3", TRACE + "-" + SPAN), TRACE, true);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "00",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01x",
                "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
                "00-4bf92f3577b34da6a3ce929d0e0e473-600f067aa0ba902b7-01",
                "00_4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
                "0g-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902bä-01"
            })
    void readWhenATraceparentIsNotOneFindsNothing(String header) {
        assertThat(TraceHeaders.read(Map.of("traceparent", header), TRACER)).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "0",
                "-",
                "4bf92f3577b34da6-",
                "4bf92f3577b34da-00f067aa0ba902b7",
                "4bf92f3577b34da6a3ce929d0e0e47361-00f067aa0ba902b7",
                "4bf92f3577b34da6-00f067aa0ba902b",
                "4bf92f3577b34daZ-00f067aa0ba902b7"
            })
    void readWhenAB3HeaderIsNotOneFindsNothing(String header) {
        assertThat(TraceHeaders.read(Map.of("b3", header), TRACER)).isNull();
    }

    @Test
    void isOfTraceWhenAHeaderCarriesOtherThingsIsFalse() {
        assertThat(TraceHeaders.isOfTrace("baggage")).isFalse();
        assertThat(TraceHeaders.isOfTrace("tenant")).isFalse();
        assertThat(TraceHeaders.isOfTrace("traceparent")).isTrue();
        assertThat(TraceHeaders.isOfTrace("X-B3-Flags")).isTrue();
    }

    private static void assertFound(Map<String, String> headers, String trace, boolean sampled) {
        TraceContext found = TraceHeaders.read(headers, TRACER);
        assertThat(found).isNotNull();
        assertThat(found.traceId()).isEqualTo(trace);
        assertThat(found.spanId()).isEqualTo(SPAN);
        assertThat(found.sampled()).isEqualTo(sampled);
    }
}
