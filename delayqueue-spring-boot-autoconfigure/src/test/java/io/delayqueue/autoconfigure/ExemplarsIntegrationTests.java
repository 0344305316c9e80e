// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.annotation.DelayQueueListener;
import io.delayqueue.test.server.RedisServer;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.micrometer.tracing.Tracer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.prometheus.PrometheusMetricsExportAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.micrometer.tracing.autoconfigure.MicrometerTracingAutoConfiguration;
import org.springframework.boot.micrometer.tracing.autoconfigure.prometheus.PrometheusExemplarsAutoConfiguration;
import org.springframework.boot.micrometer.tracing.opentelemetry.autoconfigure.OpenTelemetryTracingAutoConfiguration;
import org.springframework.boot.opentelemetry.autoconfigure.OpenTelemetrySdkAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** The exemplars of lateness buckets in a scrape in OpenMetrics format, with a tracer. */
class ExemplarsIntegrationTests {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String OPEN_METRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    private static final Pattern EXEMPLAR = Pattern.compile(
            "(?m)^delayqueue_lateness_seconds_bucket\\{[^}]*queue=\"orders\"[^}]*} \\S+ # \\{(.*?)} \\S+.*$");
    private static final Pattern TRACE = Pattern.compile("trace_id=\"([0-9a-f]{32})\"");
    private static final RedisServer REDIS = RedisServer.embedded().start();

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DataRedisAutoConfiguration.class,
                    JacksonAutoConfiguration.class,
                    ObservationAutoConfiguration.class,
                    MetricsAutoConfiguration.class,
                    CompositeMeterRegistryAutoConfiguration.class,
                    PrometheusMetricsExportAutoConfiguration.class,
                    DelayQueueAutoConfiguration.class))
            .withBean(Handlers.class)
            .withPropertyValues("spring.data.redis.url=" + REDIS.uri(), "delayqueue.queues.orders=");

    private final ApplicationContextRunner traced = runner.withConfiguration(AutoConfigurations.of(
                    OpenTelemetrySdkAutoConfiguration.class,
                    OpenTelemetryTracingAutoConfiguration.class,
                    MicrometerTracingAutoConfiguration.class,
                    PrometheusExemplarsAutoConfiguration.class))
            .withPropertyValues("management.tracing.sampling.probability=1.0");

    @AfterAll
    static void close() {
        REDIS.close();
    }

    @Test
    void latenessWhenThereIsATracerHasTheTracesOfItsDeliveriesAsExemplars() {
        traced.run(context -> {
            assertThat(context).hasNotFailed();
            Handlers handlers = context.getBean(Handlers.class);
            context.getBean(DelayQueueOperations.class).schedule(requestTo("orders", "x", Duration.ofMillis(50)));
            await().atMost(PATIENCE).until(() -> handlers.traces.size() == 1);

            List<String> exemplars = exemplars(context.getBean(PrometheusMeterRegistry.class));

            assertThat(exemplars).hasSize(1);
            assertThat(TRACE.matcher(exemplars.get(0)).results().map(trace -> trace.group(1)))
                    .containsExactlyElementsOf(handlers.traces);
            assertThat(exemplars.get(0)).contains("span_id=");
        });
    }

    @Test
    void latenessWhenThereIsNoTracerHasNone() {
        runner.run(context -> {
            assertThat(context).hasNotFailed();
            context.getBean(DelayQueueOperations.class).schedule(requestTo("orders", "x", Duration.ofMillis(50)));
            PrometheusMeterRegistry meters = context.getBean(PrometheusMeterRegistry.class);
            await().atMost(PATIENCE)
                    .until(() -> meters.scrape(OPEN_METRICS).contains("delayqueue_lateness_seconds_bucket"));

            assertThat(exemplars(meters)).isEmpty();
        });
    }

    private static List<String> exemplars(PrometheusMeterRegistry meters) {
        return EXEMPLAR.matcher(meters.scrape(OPEN_METRICS))
                .results()
                .map(line -> line.group(1))
                .toList();
    }

    static class Handlers {

        private final List<String> traces = new CopyOnWriteArrayList<>();
        private final ObjectProvider<Tracer> tracer;

        Handlers(ObjectProvider<Tracer> tracer) {
            this.tracer = tracer;
        }

        @DelayQueueListener(queue = "orders")
        void handle(String payload) {
            Tracer current = tracer.getIfAvailable();
            if (current != null) {
                traces.add(
                        Objects.requireNonNull(current.currentSpan()).context().traceId());
            }
        }
    }
}
