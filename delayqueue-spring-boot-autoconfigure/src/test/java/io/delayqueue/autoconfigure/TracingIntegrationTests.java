// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import static io.delayqueue.TestRequests.requestTo;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.ScheduleObservationContext;
import io.delayqueue.annotation.DelayQueueListener;
import io.delayqueue.handler.HandleObservationContext;
import io.delayqueue.rabbit.PublishObservationContext;
import io.delayqueue.test.server.EmbeddedAmqpBroker;
import io.delayqueue.test.server.RedisServer;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.GlobalObservationConvention;
import io.micrometer.observation.Observation;
import io.micrometer.tracing.BaggageInScope;
import io.micrometer.tracing.ScopedSpan;
import io.micrometer.tracing.Tracer;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.micrometer.tracing.autoconfigure.MicrometerTracingAutoConfiguration;
import org.springframework.boot.micrometer.tracing.opentelemetry.autoconfigure.OpenTelemetryTracingAutoConfiguration;
import org.springframework.boot.opentelemetry.autoconfigure.OpenTelemetrySdkAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

/** The spans that a real OpenTelemetry SDK exports for scheduled, handled and published tasks. */
class TracingIntegrationTests {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final RedisServer REDIS = RedisServer.embedded().start();
    private static final EmbeddedAmqpBroker BROKER = new EmbeddedAmqpBroker();

    private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DataRedisAutoConfiguration.class,
                    JacksonAutoConfiguration.class,
                    RabbitAutoConfiguration.class,
                    ObservationAutoConfiguration.class,
                    OpenTelemetrySdkAutoConfiguration.class,
                    OpenTelemetryTracingAutoConfiguration.class,
                    MicrometerTracingAutoConfiguration.class,
                    DelayQueueAutoConfiguration.class,
                    DelayQueueRabbitAutoConfiguration.class))
            .withBean(SpanProcessor.class, () -> SimpleSpanProcessor.create(exporter))
            .withBean(Handlers.class)
            .withPropertyValues(
                    "spring.data.redis.url=" + REDIS.uri(),
                    "spring.rabbitmq.addresses=" + BROKER.uri(),
                    "management.tracing.sampling.probability=1.0",
                    "management.tracing.baggage.remote-fields=tenant",
                    "delayqueue.queues.orders=",
                    "delayqueue.queues.mails.rabbit.exchange=shop",
                    "delayqueue.queues.mails.rabbit.declare.exchange-type=direct",
                    "delayqueue.queues.mails.rabbit.declare.queue=mails");

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
    void deliveryToAHandlerIsATraceOfItsOwnWithALinkAndTheBaggage() {
        runner.run(context -> {
            assertThat(context).hasNotFailed();
            SpanData placed = place(context, "orders");
            SpanData scheduled = span("schedule orders");
            SpanData handled = span("handle orders");

            assertThat(scheduled.getTraceId()).isEqualTo(placed.getTraceId());
            assertThat(scheduled.getParentSpanId()).isEqualTo(placed.getSpanId());
            assertThat(scheduled.getKind()).isEqualTo(SpanKind.PRODUCER);
            assertThat(attribute(scheduled, "outcome")).isEqualTo("created");
            assertThat(handled.getTraceId()).isNotEqualTo(placed.getTraceId());
            assertThat(handled.getParentSpanContext().isValid()).isFalse();
            assertThat(handled.getKind()).isEqualTo(SpanKind.CONSUMER);
            assertLinked(handled, scheduled);
            assertThat(attribute(handled, "queue")).isEqualTo("orders");
            Handlers handlers = context.getBean(Handlers.class);
            assertThat(handlers.tenants).containsExactly("acme");
            assertThat(handlers.traces).containsExactly(handled.getTraceId());
        });
    }

    @Test
    void deliveryToRabbitIsATraceOfItsOwnThatTheMessageCarriesOn() {
        runner.run(context -> {
            SpanData placed = place(context, "mails");
            SpanData published = span("publish mails");
            Message message = message(context);

            assertThat(published.getTraceId()).isNotEqualTo(placed.getTraceId());
            assertThat(published.getParentSpanContext().isValid()).isFalse();
            assertThat(published.getKind()).isEqualTo(SpanKind.PRODUCER);
            assertLinked(published, span("schedule mails"));
            assertThat(attribute(published, "outcome")).isEqualTo("delivered");
            assertThat(message.getMessageProperties().<String>getHeader("traceparent"))
                    .startsWith("00-" + published.getTraceId() + "-" + published.getSpanId() + "-");
            assertThat(message.getMessageProperties().<String>getHeader("tenant"))
                    .isEqualTo("acme");
        });
    }

    @Test
    void deliveriesWhenTheyAreToContinueTheTraceDo() {
        runner.withPropertyValues("delayqueue.tracing.delivery=continue").run(context -> {
            SpanData ordered = place(context, "orders");
            SpanData handled = span("handle orders");
            assertThat(handled.getTraceId()).isEqualTo(ordered.getTraceId());
            assertThat(handled.getParentSpanId())
                    .isEqualTo(span("schedule orders").getSpanId());
            assertThat(handled.getLinks()).isEmpty();
            assertThat(context.getBean(Handlers.class).tenants).containsExactly("acme");

            SpanData mailed = place(context, "mails");
            SpanData published = span("publish mails");
            assertThat(published.getTraceId()).isEqualTo(mailed.getTraceId());
            assertThat(message(context).getMessageProperties().<String>getHeader("traceparent"))
                    .contains(mailed.getTraceId(), published.getSpanId());
        });
    }

    @Test
    void spansWhenTheApplicationHasConventionsHaveTheirNames() {
        runner.withBean("scheduleNames", Named.class, () -> new Named<>(ScheduleObservationContext.class, "shop puts"))
                .withBean("handleNames", Named.class, () -> new Named<>(HandleObservationContext.class, "shop acts"))
                .withBean("publishNames", Named.class, () -> new Named<>(PublishObservationContext.class, "shop sends"))
                .run(context -> {
                    place(context, "orders");
                    place(context, "mails");

                    assertThat(attribute(span("shop puts"), "shop")).isEqualTo("yes");
                    assertThat(attribute(span("shop acts"), "shop")).isEqualTo("yes");
                    assertThat(attribute(span("shop sends"), "shop")).isEqualTo("yes");
                    message(context);
                });
    }

    /** Schedules a task within a trace with baggage, and returns the span of the call. */
    private SpanData place(ApplicationContext context, String queue) {
        Tracer tracer = context.getBean(Tracer.class);
        String name = "place " + queue;
        ScopedSpan placing = tracer.startScopedSpan(name);
        try (BaggageInScope tenant = tracer.createBaggageInScope("tenant", "acme")) {
            assertThat(tenant.get()).isEqualTo("acme");
            context.getBean(DelayQueueOperations.class).schedule(requestTo(queue, "x", Duration.ofMillis(200)));
        } finally {
            placing.end();
        }
        return span(name);
    }

    private SpanData span(String name) {
        return await().atMost(PATIENCE)
                .until(
                        () -> exporter.getFinishedSpanItems().stream()
                                .filter(span -> span.getName().equals(name))
                                .findFirst()
                                .orElse(null),
                        span -> span != null);
    }

    private static Message message(ApplicationContext context) {
        return requireNonNull(context.getBean(RabbitTemplate.class).receive("mails", PATIENCE.toMillis()));
    }

    private static void assertLinked(SpanData span, SpanData to) {
        assertThat(span.getLinks()).singleElement().satisfies(link -> {
            assertThat(link.getSpanContext().getTraceId()).isEqualTo(to.getTraceId());
            assertThat(link.getSpanContext().getSpanId()).isEqualTo(to.getSpanId());
        });
    }

    private static @Nullable String attribute(SpanData span, String key) {
        return span.getAttributes().get(AttributeKey.stringKey(key));
    }

    private record Named<C extends Observation.Context>(Class<C> type, String name)
            implements GlobalObservationConvention<C> {

        @Override
        public String getName() {
            return "shop.tasks";
        }

        @Override
        public String getContextualName(C context) {
            return name;
        }

        @Override
        public KeyValues getLowCardinalityKeyValues(C context) {
            return KeyValues.of("shop", "yes");
        }

        @Override
        public boolean supportsContext(Observation.Context context) {
            return type.isInstance(context);
        }
    }

    static class Handlers {

        private final Tracer tracer;
        final List<String> tenants = new CopyOnWriteArrayList<>();
        final List<String> traces = new CopyOnWriteArrayList<>();

        Handlers(Tracer tracer) {
            this.tracer = tracer;
        }

        @DelayQueueListener(queue = "orders")
        void handle(String payload) {
            tenants.add(
                    String.valueOf(requireNonNull(tracer.getBaggage("tenant")).get()));
            traces.add(requireNonNull(tracer.currentSpan()).context().traceId());
        }
    }
}
