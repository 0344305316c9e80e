// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.annotation.DelayQueueListener;
import io.delayqueue.test.server.EmbeddedAmqpBroker;
import io.delayqueue.test.server.RedisServer;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.observation.LettuceObservationAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.micrometer.tracing.autoconfigure.MicrometerTracingAutoConfiguration;
import org.springframework.boot.micrometer.tracing.opentelemetry.autoconfigure.OpenTelemetryTracingAutoConfiguration;
import org.springframework.boot.opentelemetry.autoconfigure.OpenTelemetrySdkAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.data.redis.core.StringRedisTemplate;

/** With Boot's tracing and metrics of Lettuce, an idle process exports no spans and counts no commands. */
class IdleTracesIntegrationTests {

    private static final RedisServer REDIS = RedisServer.embedded().start();
    private static final EmbeddedAmqpBroker BROKER = new EmbeddedAmqpBroker();

    /** Longer than the heartbeats, scans and the interval of the gauges below. */
    private static final Duration IDLE = Duration.ofSeconds(6);

    private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
    private final List<String> observed = new CopyOnWriteArrayList<>();

    @BeforeAll
    static void start() {
        BROKER.start();
    }

    @AfterAll
    static void close() {
        REDIS.close();
        BROKER.close();
    }

    @Test
    void idleProcessExportsNoSpans() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        DataRedisAutoConfiguration.class,
                        LettuceObservationAutoConfiguration.class,
                        JacksonAutoConfiguration.class,
                        RabbitAutoConfiguration.class,
                        ObservationAutoConfiguration.class,
                        OpenTelemetrySdkAutoConfiguration.class,
                        OpenTelemetryTracingAutoConfiguration.class,
                        MicrometerTracingAutoConfiguration.class,
                        DelayQueueAutoConfiguration.class,
                        DelayQueueRabbitAutoConfiguration.class))
                .withBean(SpanProcessor.class, () -> SimpleSpanProcessor.create(exporter))
                .withBean(Recorder.class, () -> new Recorder(observed))
                .withBean(Handlers.class)
                .withPropertyValues(
                        "spring.data.redis.url=" + REDIS.uri(),
                        "spring.rabbitmq.addresses=" + BROKER.uri(),
                        "management.tracing.sampling.probability=1.0",
                        "delayqueue.metrics.interval=1s",
                        "delayqueue.queues.orders.shards=2",
                        "delayqueue.queues.reminders.trigger.max-idle-interval=1s",
                        "delayqueue.queues.mails.rabbit.exchange=shop",
                        "delayqueue.queues.mails.rabbit.declare.exchange-type=direct",
                        "delayqueue.queues.mails.rabbit.declare.queue=mails")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    context.getBean(StringRedisTemplate.class).hasKey("dq:{orders}:of-the-application");
                    assertThat(observed).as("the application's own commands").isNotEmpty();
                    context.getBean(DelayQueueOperations.class).schedule(requestTo("orders", "x", Duration.ZERO));
                    await().atMost(Duration.ofSeconds(20))
                            .untilAsserted(() -> assertThat(exporter.getFinishedSpanItems())
                                    .extracting(SpanData::getName)
                                    .contains("handle orders"));

                    exporter.reset();
                    observed.clear();
                    await().pollDelay(IDLE).timeout(IDLE.multipliedBy(2)).until(() -> true);

                    assertThat(exporter.getFinishedSpanItems())
                            .extracting(SpanData::getName)
                            .isEmpty();
                    assertThat(observed).isEmpty();
                });
    }

    /** Also what would become a meter. */
    record Recorder(List<String> observed) implements ObservationHandler<Observation.Context> {

        @Override
        public void onStart(Observation.Context context) {
            observed.add(context.getName());
        }

        @Override
        public boolean supportsContext(Observation.Context context) {
            return true;
        }
    }

    static class Handlers {

        @DelayQueueListener(queue = "orders")
        void order(String payload) {}

        @DelayQueueListener(queue = "reminders")
        void reminder(String payload) {}
    }
}
