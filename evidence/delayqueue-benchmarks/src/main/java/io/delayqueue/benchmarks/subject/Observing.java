// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.subject;

import java.util.HashMap;
import java.util.Map;

/** The settings of the subjects that measure the cost of meters, traces and histories. */
final class Observing {

    private static final String TRACING =
            "org.springframework.boot.micrometer.tracing.opentelemetry.autoconfigure.OpenTelemetryTracingAutoConfiguration,"
                    + "org.springframework.boot.micrometer.tracing.autoconfigure.MicrometerTracingAutoConfiguration";

    private Observing() {}

    static Map<String, Object> properties(String subject) {
        boolean all = subject.equals(Subjects.OBSERVED);
        Map<String, Object> properties = new HashMap<>();
        if (all || subject.equals(Subjects.HISTORY)) {
            properties.put("delayqueue.defaults.history", 10_000);
        }
        if (subject.equals(Subjects.METRICS)) {
            properties.put("spring.autoconfigure.exclude", TRACING);
        }
        if (all || subject.equals(Subjects.TRACED)) {
            properties.put("management.tracing.sampling.probability", 0.1);
        }
        return properties;
    }
}
