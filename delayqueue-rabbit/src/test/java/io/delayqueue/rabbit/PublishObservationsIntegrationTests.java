// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.delayqueue.codec.JacksonPayloadCodec;
import io.delayqueue.delivery.Delivery;
import io.delayqueue.delivery.OpenDelivery;
import io.delayqueue.delivery.Outcome;
import io.delayqueue.handler.RetrySettings;
import io.delayqueue.internal.client.DelayQueueTemplate;
import io.delayqueue.internal.codec.PayloadCodecs;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.engine.DeliveryObservation;
import io.delayqueue.internal.engine.Engine;
import io.delayqueue.internal.engine.EngineHooks;
import io.delayqueue.internal.engine.InterceptorChain;
import io.delayqueue.internal.engine.LibraryDestination;
import io.delayqueue.internal.engine.QueueDelivery;
import io.delayqueue.internal.engine.RunningQueue;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.queue.QueueSettings;
import io.delayqueue.internal.queue.QueueSettingsBuilder;
import io.delayqueue.internal.queue.TaskBounds;
import io.delayqueue.internal.queue.TriggerSettings;
import io.delayqueue.internal.rabbit.publisher.PublishObservations;
import io.delayqueue.internal.redis.StoreFixture;
import io.delayqueue.internal.sharding.Shardings;
import io.delayqueue.internal.store.WakeSignals;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

class PublishObservationsIntegrationTests {

    private static final int ONCE = 0;
    private static final int OFTEN = 10;

    private final AtomicInteger active = new AtomicInteger();
    private final List<String> outcomes = new CopyOnWriteArrayList<>();
    private final List<String> errors = new CopyOnWriteArrayList<>();
    private final ObservationRegistry registry = ObservationRegistry.create();

    @AutoClose
    private final StoreFixture redis = new StoreFixture();

    private final List<OpenDelivery> held = new CopyOnWriteArrayList<>();

    PublishObservationsIntegrationTests() {
        registry.observationConfig().observationHandler(new ObservationHandler<PublishObservationContext>() {
            @Override
            public void onStart(PublishObservationContext context) {
                active.incrementAndGet();
            }

            @Override
            public void onError(PublishObservationContext context) {
                errors.add(String.valueOf(context.getError()));
            }

            @Override
            public void onStop(PublishObservationContext context) {
                active.decrementAndGet();
                outcomes.add(context.outcome());
            }

            @Override
            public boolean supportsContext(Observation.Context context) {
                return context instanceof PublishObservationContext;
            }
        });
    }

    @ParameterizedTest
    @CsvSource({OFTEN + ",postponed", ONCE + ",dead"})
    void observationWhenAStopBreaksTheDeliveryOffEndsWithThat(int maxLeaseExpiries, String outcome) {
        stopWhileDelivering(queue(10, maxLeaseExpiries), held::addAll);
        assertThat(active).hasValue(0);

        assertThat(held.get(0).settle(Outcome.delivered())).isFalse();
        assertThat(held.get(0).settle(Outcome.failed("no confirm came").mayHaveArrived()))
                .isFalse();

        assertThat(active).hasValue(0);
        assertThat(outcomes).containsExactly(outcome);
    }

    @ParameterizedTest
    @CsvSource({"10,failed", "1,dead"})
    void observationWhenTheDestinationThrowsEndsAsTheEngineEndsTheDelivery(int maxAttempts, String outcome) {
        QueueSettings queue = queue(maxAttempts, OFTEN);
        schedule(queue, 2);
        try (Engine engine = engine(queue)) {
            QueueDelivery delivery = delivery(queue, deliveries -> {
                deliveries.get(0).settle(Outcome.delivered());
                throw new IllegalStateException("the destination fails");
            });
            assertThatThrownBy(() -> engine.scanOnce(delivery, 2)).hasMessage("the destination fails");
        }
        assertThat(active).hasValue(0);
        assertThat(outcomes).containsExactly("delivered", outcome);
        assertThat(errors).singleElement().asString().contains("destination threw java.lang.IllegalStateException");
    }

    @Test
    void observationWhenTheLastAttemptFailsSaysThatTheTaskIsDead() {
        QueueSettings queue = queue(1, OFTEN);
        schedule(queue, 1);
        try (Engine engine = engine(queue)) {
            engine.scanOnce(
                    delivery(
                            queue,
                            deliveries -> assertThat(deliveries.get(0).settle(Outcome.failed("returned")))
                                    .isTrue()),
                    1);
        }
        assertThat(active).hasValue(0);
        assertThat(outcomes).containsExactly("dead");
    }

    private void stopWhileDelivering(QueueSettings queue, Consumer<List<OpenDelivery>> destination) {
        schedule(queue, 1);
        try (Engine engine = engine(queue)) {
            RunningQueue running = engine.start(delivery(queue, destination), false, WakeSignals.NONE);
            await().until(() -> !held.isEmpty());
            running.stop(Thread.currentThread(), System.nanoTime());
        }
        assertThat(held.get(0).isEnded()).isTrue();
    }

    private QueueDelivery delivery(QueueSettings queue, Consumer<List<OpenDelivery>> destination) {
        return new QueueDelivery(
                queue,
                new LibraryDestination() {
                    @Override
                    public void deliver(List<OpenDelivery> deliveries) {
                        destination.accept(deliveries);
                    }

                    @Override
                    public DeliveryObservation observe(Delivery delivery) {
                        return new PublishObservations(registry).start(delivery);
                    }
                },
                InterceptorChain.EMPTY);
    }

    private Engine engine(QueueSettings queue) {
        return new Engine(
                redis.store(), Shardings.fixed(new QueueCatalog(List.of(queue))), new Scheduler(), EngineHooks.NONE);
    }

    private void schedule(QueueSettings queue, int count) {
        DelayQueueTemplate template = new DelayQueueTemplate(
                redis.store(),
                new QueueCatalog(List.of(queue)),
                new PayloadCodecs(List.of(new JacksonPayloadCodec(new JsonMapper()))),
                TaskBounds.DEFAULT);
        for (int i = 0; i < count; i++) {
            template.schedule(requestTo(queue.name(), "x", Duration.ZERO));
        }
    }

    private static QueueSettings queue(int maxAttempts, int maxLeaseExpiries) {
        return QueueSettingsBuilder.of("orders")
                .maxLeaseExpiries(maxLeaseExpiries)
                .retry(new RetrySettings(maxAttempts - 1, Duration.ofMinutes(1), 1, Duration.ofMinutes(1), 0))
                .trigger(new TriggerSettings(true, 1, null, 10, Duration.ofMillis(200), Duration.ofMillis(50)))
                .build();
    }
}
