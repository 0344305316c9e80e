// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.delayqueue.DelayQueueException;
import io.delayqueue.DelayQueueOperations;
import io.delayqueue.EncodedPayload;
import io.delayqueue.FoundTask;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.annotation.DelayQueueListener;
import io.delayqueue.annotation.TaskHeaders;
import io.delayqueue.delivery.Delivery;
import io.delayqueue.delivery.DeliveryInterceptor;
import io.delayqueue.delivery.Outcome;
import io.delayqueue.delivery.TaskDestination;
import io.delayqueue.handler.DelayedTask;
import io.delayqueue.handler.TaskHandlerRegistry;
import io.delayqueue.handler.TaskLease;
import io.delayqueue.internal.handler.RegisteredHandlers;
import io.delayqueue.trigger.ScanTrigger;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Min;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.validation.autoconfigure.ValidationAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.Headers;
import org.springframework.messaging.handler.annotation.Payload;

/** Listener methods in applications without RabbitMQ, on a real Redis. */
class DelayQueueListenerIntegrationTests extends ListenerScene {

    private ApplicationContextRunner withoutRabbit() {
        return runner.withConfiguration(AutoConfigurations.of(
                        ValidationAutoConfiguration.class, DelayQueueRabbitAutoConfiguration.class))
                .withClassLoader(new FilteredClassLoader("org.springframework.amqp", "com.rabbitmq"));
    }

    record Order(@Min(1) long id, List<String> items) {}

    @Configuration(proxyBeanMethods = false)
    static class Listening {

        final List<Object> seen = new CopyOnWriteArrayList<>();

        @DelayQueueListener(queue = "${the.queue:orders}", concurrency = "3", shutdownTimeout = "1s", lease = "20s")
        void onTimeout(
                @Valid Order order,
                @Header("tenant") String tenant,
                @Header(TaskHeaders.DUE_AT) Instant dueAt,
                @Header(TaskHeaders.ATTEMPT) int attempt,
                @Header(TaskHeaders.LATENESS) Duration lateness,
                @Headers Map<String, Object> headers,
                DelayedTask<Order> task,
                TaskLease lease) {
            assertThat(order.items()).isEqualTo(List.of("kettle"));
            assertThat(task.payload()).isEqualTo(order);
            assertThat(task.dueAt()).isEqualTo(dueAt);
            assertThat(headers).containsEntry("tenant", tenant).containsEntry(TaskHeaders.QUEUE, "orders");
            assertThat(lease.fencingToken()).isEqualTo(headers.get(TaskHeaders.FENCING_TOKEN));
            assertThat(attempt).isEqualTo(1);
            assertThat(lateness).isBetween(Duration.ZERO, task.lateness());
            seen.add(order.id());
            seen.add(tenant);
        }
    }

    @Test
    void methodWhenItAsksForEverythingGetsIt() {
        withoutRabbit().withUserConfiguration(Listening.class).run(context -> {
            String id = schedule(context, "orders", new Order(7, List.of("kettle")));
            await().atMost(Duration.ofSeconds(10)).until(() -> find(context, "orders", id) == null);
            assertThat(context.getBean(Listening.class).seen).containsExactly(7L, "blue");
        });
    }

    @Test
    void methodWhenThePayloadIsNotValidMakesTheTaskDeadAtOnceAndShowsNothingOfIt() {
        withoutRabbit().withUserConfiguration(Listening.class).run(context -> {
            String id = schedule(context, "orders", new Order(0, List.of("secret")));
            FoundTask<EncodedPayload> dead = awaitDead(context, "orders", id);
            assertThat(dead.failures()).isEqualTo(1);
            assertThat(dead.lastReason())
                    .hasValueSatisfying(
                            reason -> assertThat(reason).contains("NotValid").doesNotContain("secret"));
            assertThat(context.getBean(Listening.class).seen).isEmpty();
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class Several {

        final List<String> seen = new CopyOnWriteArrayList<>();
        final CompletableFuture<Void> work = new CompletableFuture<>();

        @DelayQueueListener(queue = "orders")
        CompletionStage<Void> async(@Payload String text) {
            seen.add(text);
            return work;
        }

        @DelayQueueListener(queue = "later", autoStartup = "false")
        void later(byte[] bytes) {
            throw new IllegalStateException("is not called");
        }

        @Bean
        @org.springframework.core.annotation.Order(1)
        DeliveryInterceptor outer() {
            return noting("outer");
        }

        @Bean
        @org.springframework.core.annotation.Order(2)
        DeliveryInterceptor inner() {
            return noting("inner");
        }

        private DeliveryInterceptor noting(String name) {
            return new DeliveryInterceptor() {
                @Override
                public void before(Delivery delivery) {
                    seen.add(name + " before");
                }

                @Override
                public void after(Delivery delivery) {
                    seen.add(name + " after");
                }
            };
        }
    }

    @Test
    void methodWhenAutoStartupIsOffWaitsToBeStarted() {
        withoutRabbit().withUserConfiguration(Several.class).run(context -> {
            String id = schedule(context, "later", "x");
            await().during(Duration.ofMillis(300))
                    .until(() -> find(context, "later", id).failures() == 0);
            context.getBean(RegisteredHandlers.class).triggers().forEach(trigger -> trigger.start());
            assertThat(awaitDead(context, "later", id).lastReason())
                    .hasValue("java.lang.IllegalStateException: is not called");
        });
    }

    static class AutoStarting {

        final List<String> seen = new CopyOnWriteArrayList<>();

        @DelayQueueListener(queue = "orders", autoStartup = "true")
        void onTimeout(String text) {
            seen.add(text);
        }
    }

    @Test
    void methodWhenItsQueueDoesNotStartDoesNotStartWhateverItSays() {
        withoutRabbit()
                .withUserConfiguration(AutoStarting.class)
                .withPropertyValues("delayqueue.queues.orders.trigger.auto-startup=false")
                .run(context -> {
                    schedule(context, "orders", "x");
                    assertThat(context.getBean(RegisteredHandlers.class).triggers())
                            .singleElement()
                            .matches(trigger -> !trigger.isRunning());
                    await().during(Duration.ofMillis(300))
                            .until(() ->
                                    context.getBean(AutoStarting.class).seen.isEmpty());
                });
    }

    static class ThreadNoting {

        final List<Thread> threads = new CopyOnWriteArrayList<>();
        final List<String> names = new CopyOnWriteArrayList<>();

        @DelayQueueListener(queue = "orders")
        void onTimeout(String text) {
            names.add(Thread.currentThread().getName());
            threads.add(Thread.currentThread());
        }
    }

    @Test
    void methodWhenThreadsAreVirtualRunsOnOneWhereTheJdkHasThem() {
        withoutRabbit()
                .withUserConfiguration(ThreadNoting.class)
                .withPropertyValues("spring.threads.virtual.enabled=true")
                .run(context -> {
                    schedule(context, "orders", "x");
                    List<Thread> threads = context.getBean(ThreadNoting.class).threads;
                    await().atMost(Duration.ofSeconds(10)).until(() -> !threads.isEmpty());
                    assertThat(context.getBean(ThreadNoting.class).names.get(0)).startsWith("delayqueue-orders-");
                    assertThat(isVirtual(threads.get(0)))
                            .isEqualTo(Runtime.version().feature() >= 21);
                });
    }

    private static boolean isVirtual(Thread thread) throws ReflectiveOperationException {
        return Runtime.version().feature() >= 21
                && (boolean) Thread.class.getMethod("isVirtual").invoke(thread);
    }

    static class Failing {

        @DelayQueueListener(queue = "orders")
        void onTimeout(String text) {
            throw new NumberFormatException("a subclass");
        }
    }

    @Test
    void startWhenAQueueHasAHandlerAndAnExchangeFails() {
        withoutRabbit()
                .withUserConfiguration(Failing.class)
                .withPropertyValues("delayqueue.queues.orders.rabbit.exchange=shop")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("delayqueue.queues.orders.rabbit.exchange")
                        .hasMessageContaining("have only one destination"));
    }

    @Test
    void startWhenAHandlerCannotBeRegisteredNamesItsMethod() {
        withoutRabbit()
                .withBean("one", Failing.class)
                .withBean("two", OfAnUnknownQueue.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("OfAnUnknownQueue.onTimeout")
                        .hasMessageContaining("Queue 'typo' is not configured"));
        withoutRabbit()
                .withBean("one", Failing.class)
                .withBean("two", Failing.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("Failing.onTimeout")
                        .hasMessageContaining("Queue 'orders' already has a handler"));
    }

    static class OfAnUnknownQueue {

        @DelayQueueListener(queue = "typo")
        void onTimeout(String text) {}
    }

    @Test
    void startWhenDeadTasksGoToAnExchangeWithoutRabbitFails() {
        withoutRabbit()
                .withPropertyValues("delayqueue.queues.orders.dead.exchange=dead-letters")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("delayqueue.queues.orders.dead.exchange")
                        .hasMessageContaining("no RabbitMQ ConnectionFactory"));
    }

    static class OwnTrigger extends ScanTrigger {

        OwnTrigger() {
            super("orders");
        }

        @Override
        protected TaskDestination createDestination() {
            return deliveries -> deliveries.forEach(delivery -> delivery.settle(Outcome.delivered()));
        }
    }

    @Test
    void registerWhenATriggerBeanScansTheQueueIsRefusedAtRunTimeToo() {
        withoutRabbit()
                .withUserConfiguration(OwnTrigger.class)
                .run(context -> assertThatExceptionOfType(DelayQueueException.class)
                        .isThrownBy(() ->
                                context.getBean(TaskHandlerRegistry.class).register("orders", String.class, task -> {}))
                        .withMessageContaining("have only one destination"));
    }

    abstract static class Typed<T> {

        final List<Object> seen = new CopyOnWriteArrayList<>();

        @DelayQueueListener(queue = "orders")
        void onTimeout(T payload, DelayedTask<T> task) {
            seen.add(payload);
            seen.add(task.payload());
        }
    }

    static class TypedByItsSubclass extends Typed<Order> {}

    @Test
    void methodWhenItsPayloadIsATypeVariableGetsWhatTheSubclassSays() {
        withoutRabbit().withUserConfiguration(TypedByItsSubclass.class).run(context -> {
            Order order = new Order(7, List.of("kettle"));
            String id = schedule(context, "orders", order);
            await().atMost(Duration.ofSeconds(10)).until(() -> find(context, "orders", id) == null);
            assertThat(context.getBean(TypedByItsSubclass.class).seen).containsExactly(order, order);
        });
    }

    private static String schedule(AssertableApplicationContext context, String queue, Object payload) {
        return context.getBean(DelayQueueOperations.class)
                .schedule(ScheduleRequest.to(queue)
                        .payload(payload)
                        .header("tenant", "blue")
                        .dueIn(Duration.ZERO)
                        .build())
                .id();
    }

    private static FoundTask<String> find(AssertableApplicationContext context, String queue, String id) {
        return context.getBean(DelayQueueOperations.class)
                .find(queue, id, String.class)
                .orElse(null);
    }
}
