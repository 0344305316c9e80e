// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.EncodedPayload;
import io.delayqueue.FoundTask;
import io.delayqueue.annotation.DelayQueueHandler;
import io.delayqueue.annotation.DelayQueueListener;
import io.delayqueue.annotation.ListenerRetry;
import io.delayqueue.annotation.TaskHeaders;
import io.delayqueue.annotation.TaskType;
import io.delayqueue.delivery.Outcome;
import io.delayqueue.handler.DelayedTask;
import io.delayqueue.handler.DeliveryErrorHandler;
import io.delayqueue.handler.HandlerRegistration;
import io.delayqueue.handler.NonRetryableTaskException;
import io.delayqueue.handler.TaskHandlerRegistry;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Min;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.validation.autoconfigure.ValidationAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.AliasFor;
import org.springframework.messaging.handler.annotation.Header;

/** What listeners say about themselves, and which of them handles a task, on a real Redis. */
class ListenerAttributesIntegrationTests extends ListenerScene {

    private final ApplicationContextRunner validating =
            runner.withConfiguration(AutoConfigurations.of(ValidationAutoConfiguration.class));

    ListenerAttributesIntegrationTests() {
        super("delayqueue.queues.mails.shards=1");
    }

    static class OfSeveralQueues {

        final List<String> seen = new CopyOnWriteArrayList<>();

        @DelayQueueListener(queue = "orders", queues = "${other.queues:}")
        void any(String text, @Header(TaskHeaders.QUEUE) String queue) {
            seen.add(queue + " " + text);
        }
    }

    @Test
    void queueWhenThereAreSeveralIsHandledByTheOneMethod() {
        runner.withUserConfiguration(OfSeveralQueues.class)
                .withPropertyValues("other.queues=mails, orders")
                .run(context -> {
                    schedule(context, "orders", "a");
                    schedule(context, "mails", "b");
                    List<String> seen = context.getBean(OfSeveralQueues.class).seen;
                    await().atMost(PATIENCE).until(() -> seen.size() == 2);
                    assertThat(seen).containsExactlyInAnyOrder("orders a", "mails b");
                });
    }

    @Retention(RetentionPolicy.RUNTIME)
    @DelayQueueListener(concurrency = "1", retry = @ListenerRetry(maxRetries = "0"))
    @interface OnceListener {

        @AliasFor(annotation = DelayQueueListener.class, attribute = "queue")
        String value();
    }

    static class OfBatches {

        final List<List<String>> seen = new CopyOnWriteArrayList<>();

        @DelayQueueListener(value = "orders", batchSize = "${most:3}", maxWait = "${wait:300ms}")
        void all(List<DelayedTask<String>> tasks) {
            seen.add(tasks.stream().map(DelayedTask::payload).toList());
            tasks.stream()
                    .filter(task -> task.payload().equals("b"))
                    .forEach(task -> task.fail(new NonRetryableTaskException("never b")));
        }
    }

    @Test
    void methodWhenItTakesAListGetsTasksInBatches() {
        runner.withUserConfiguration(OfBatches.class).run(context -> {
            String failed = "";
            for (String text : List.of("a", "b", "c", "d")) {
                String id = schedule(context, "orders", text);
                failed = text.equals("b") ? id : failed;
            }
            awaitDead(context, "orders", failed);
            List<List<String>> seen = context.getBean(OfBatches.class).seen;
            await().atMost(PATIENCE)
                    .until(() -> seen.stream().mapToInt(List::size).sum() == 4);
            assertThat(seen).allMatch(batch -> batch.size() <= 3);
        });
    }

    static class OfABatchAndMore {

        @DelayQueueListener("orders")
        void all(List<DelayedTask<String>> tasks, @Header(TaskHeaders.ID) String id) {}
    }

    @Test
    void startWhenAMethodTakesABatchAndMoreFails() {
        runner.withUserConfiguration(OfABatchAndMore.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("OfABatchAndMore.all")
                        .hasMessageContaining("Take only the list"));
    }

    static class WithIds {

        final List<String> seen = new CopyOnWriteArrayList<>();

        @DelayQueueListener(value = "orders", id = "closing")
        void orders(String text) {
            seen.add(text);
        }

        @DelayQueueListener("mails")
        void mails(String text) {
            seen.add(text);
        }
    }

    @Test
    void registrationWhenItIsStoppedByItsIdLeavesTheOthersAlone() {
        runner.withUserConfiguration(WithIds.class).run(context -> {
            TaskHandlerRegistry registry = context.getBean(TaskHandlerRegistry.class);
            List<String> seen = context.getBean(WithIds.class).seen;
            assertThat(registry.getRegistration("mails").orElseThrow().queue()).isEqualTo("mails");
            assertThat(registry.getRegistration("orders")).isEmpty();
            HandlerRegistration closing = registry.getRegistration("closing").orElseThrow();

            closing.stop();
            schedule(context, "orders", "a");
            schedule(context, "mails", "b");
            await().atMost(PATIENCE).until(() -> seen.contains("b"));
            assertThat(seen).containsExactly("b");
            closing.start();
            await().atMost(PATIENCE).until(() -> seen.contains("a"));
        });
    }

    static class OfSeveralQueuesWithAnId {

        @DelayQueueListener(
                queues = {"orders", "mails"},
                id = "both")
        void any(String text) {}
    }

    static class WithTheSameId {

        @DelayQueueListener(value = "orders", id = "one")
        void orders(String text) {}

        @DelayQueueListener(value = "mails", id = "one")
        void mails(String text) {}
    }

    @ParameterizedTest
    @ValueSource(classes = {OfSeveralQueuesWithAnId.class, WithTheSameId.class})
    void startWhenAnIdNamesTwoHandlersFails(Class<?> listener) {
        runner.withUserConfiguration(listener)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining(listener.getSimpleName())
                        .hasMessageContaining("id"));
    }

    static class OfNoQueue {

        @DelayQueueListener
        void any(String text) {}
    }

    @Test
    void startWhenNoQueueIsNamedFails() {
        runner.withUserConfiguration(OfNoQueue.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("OfNoQueue.any")
                        .hasMessageContaining("Name at least one queue"));
    }

    static class Annotated {

        @OnceListener("orders")
        void fail(String text) {
            throw new IllegalStateException(text);
        }
    }

    @Test
    void annotationWhenItIsMetaGivesItsAttributesOn() {
        runner.withUserConfiguration(Annotated.class).run(context -> {
            FoundTask<EncodedPayload> dead = awaitDead(context, "orders", schedule(context, "orders", "x"));
            assertThat(dead.failures()).isEqualTo(1);
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class WithEveryAttribute {

        final List<String> failed = new CopyOnWriteArrayList<>();

        @DelayQueueListener(
                queue = "orders",
                timeout = "${time.limit}",
                retry =
                        @ListenerRetry(
                                maxRetries = "${most:}",
                                delay = "${delay:10ms}",
                                jitter = "0",
                                excludes = NumberFormatException.class),
                errorHandler = "${who}")
        void handle(String text) throws Exception {
            switch (text) {
                case "hang" -> new CountDownLatch(1).await();
                case "number" -> throw new NumberFormatException();
                case "arithmetic" -> throw new ArithmeticException();
                case "index" -> throw new IndexOutOfBoundsException();
                default -> throw new IllegalStateException(text);
            }
        }

        @Bean(defaultCandidate = false)
        DeliveryErrorHandler noting() {
            return (delivery, error) -> failed.add(error.getClass().getSimpleName());
        }

        @Bean(defaultCandidate = false)
        DeliveryErrorHandler other() {
            return (delivery, error) -> delivery.settle(Outcome.delivered());
        }
    }

    @Test
    void attributesWhenTheyHavePlaceholdersAreThoseOfTheHandler() {
        runner.withUserConfiguration(WithEveryAttribute.class)
                .withPropertyValues(
                        "time.limit=200ms",
                        "most=2",
                        "who=noting",
                        "delayqueue.defaults.retry.excludes=java.lang.ArithmeticException,"
                                + "java.lang.IndexOutOfBoundsException")
                .run(context -> {
                    assertThat(failures(context, "x")).isEqualTo(3);
                    assertThat(failures(context, "number")).isEqualTo(1);
                    assertThat(failures(context, "arithmetic")).isEqualTo(1);
                    assertThat(failures(context, "index")).isEqualTo(1);
                    assertThat(awaitDead(context, "orders", schedule(context, "orders", "hang"))
                                    .lastReason())
                            .hasValue("timed out after 200 ms");
                    assertThat(context.getBean(WithEveryAttribute.class).failed)
                            .hasSize(9)
                            .contains("HandlerTimeoutException");
                });
    }

    private static int failures(AssertableApplicationContext context, String payload) {
        return awaitDead(context, "orders", schedule(context, "orders", payload))
                .failures();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "most=-1: max-retries must be at least 0",
                "time.limit=0s: timeout must be between 1ms and 365d",
                "time.limit=30: timeout is '30', a duration without a unit. Write 30s for seconds or 30ms",
                "who=nobody: its errorHandler 'nobody' is not a bean of type DeliveryErrorHandler",
                "who=withEveryAttribute: is not a bean of type DeliveryErrorHandler",
            })
    void startWhenAnAttributeIsWrongFailsAndSaysWhere(String wrong) {
        String[] parts = wrong.split(": ", 2);
        runner.withBean("withEveryAttribute", WithEveryAttribute.class)
                .withPropertyValues("time.limit=1s", "who=noting")
                .withPropertyValues(parts[0])
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("WithEveryAttribute.handle")
                        .hasMessageContaining(parts[1]));
    }

    @TaskType("order.placed")
    record Placed(@Min(1) int id) {}

    @TaskType("order.paid")
    record Paid(int id) {}

    @TaskType("order.lost")
    record Lost(int id) {}

    /** As another service calls it. */
    @TaskType("order.placed")
    record PlacedElsewhere(int id) {}

    @DelayQueueListener(queue = "orders")
    static class ByType {

        final List<Object> seen = new CopyOnWriteArrayList<>();

        @DelayQueueHandler
        void placed(@Header(TaskHeaders.TYPE) String type, @Valid Placed placed) {
            seen.add(type);
            seen.add(placed);
        }

        @DelayQueueHandler
        void paid(DelayedTask<Paid> task) {
            seen.add(task.payload());
        }
    }

    @Test
    void handlersWhenThereAreSeveralOfAClassGetThePayloadsOfTheirTypes() {
        validating.withUserConfiguration(ByType.class).run(context -> {
            List<Object> seen = context.getBean(ByType.class).seen;
            schedule(context, "orders", new PlacedElsewhere(7));
            await().atMost(PATIENCE).until(() -> seen.size() == 2);
            schedule(context, "orders", new Paid(8));
            await().atMost(PATIENCE).until(() -> seen.size() == 3);
            assertThat(seen).containsExactly("order.placed", new Placed(7), new Paid(8));

            assertThat(awaitDead(context, "orders", schedule(context, "orders", new Lost(9)))
                            .lastReason())
                    .hasValueSatisfying(reason -> assertThat(reason).contains("takes the type 'order.lost'"));
            assertThat(awaitDead(context, "orders", schedule(context, "orders", "no type"))
                            .lastReason())
                    .hasValueSatisfying(reason -> assertThat(reason).contains("tasks without a type"));
            assertThat(awaitDead(context, "orders", schedule(context, "orders", new Placed(0)))
                            .lastReason())
                    .hasValueSatisfying(reason -> assertThat(reason).contains("(id: Min)"));
        });
    }

    @DelayQueueListener(queue = "orders")
    static class WithADefault extends ByType {

        @DelayQueueHandler(isDefault = true)
        void other(Object payload) {
            seen.add(payload);
        }
    }

    @Test
    void handlersWhenOneIsTheDefaultItGetsTheOthersAsWhatTheyAre() {
        validating.withUserConfiguration(WithADefault.class).run(context -> {
            List<Object> seen = context.getBean(WithADefault.class).seen;
            schedule(context, "orders", new Lost(9));
            await().atMost(PATIENCE).until(() -> seen.size() == 1);
            schedule(context, "orders", "text");
            await().atMost(PATIENCE).until(() -> seen.size() == 2);
            schedule(context, "orders", new byte[] {1, 2});
            await().atMost(PATIENCE).until(() -> seen.size() == 3);
            assertThat(seen.get(0)).isEqualTo(Map.of("id", 9));
            assertThat(seen.get(1)).isEqualTo("text");
            assertThat(seen.get(2)).isEqualTo(new byte[] {1, 2});
        });
    }

    static class OfAnything {

        final List<Object> seen = new CopyOnWriteArrayList<>();

        @DelayQueueListener(queue = "orders")
        void any(Object payload) {
            seen.add(payload);
        }
    }

    @Test
    void parameterWhenItsTypeIsObjectIsThePayload() {
        runner.withUserConfiguration(OfAnything.class).run(context -> {
            schedule(context, "orders", List.of("kettle"));
            List<Object> seen = context.getBean(OfAnything.class).seen;
            await().atMost(PATIENCE).until(() -> !seen.isEmpty());
            assertThat(seen.get(0)).isEqualTo(List.of("kettle"));
        });
    }

    @DelayQueueListener(queue = "orders")
    static class TwoOfAType {

        @DelayQueueHandler
        void one(Placed placed) {}

        @DelayQueueHandler
        void two(PlacedElsewhere placed) {}
    }

    @DelayQueueListener(queue = "orders")
    static class OfNoType {

        @DelayQueueHandler
        void one(String text) {}
    }

    @DelayQueueListener(queue = "orders")
    static class WithoutHandlers {}

    static class WithoutAListener {

        @DelayQueueHandler
        void one(Placed placed) {}
    }

    @ParameterizedTest
    @ValueSource(classes = {TwoOfAType.class, OfNoType.class, WithoutHandlers.class, WithoutAListener.class})
    void startWhenItIsNotClearWhoHandlesWhatFails(Class<?> listener) {
        runner.withUserConfiguration(listener)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining(listener.getSimpleName())
                        .hasMessageContaining("@DelayQueueHandler"));
    }

    @Test
    void registrationsWhenOneOfSeveralQueuesIsTakenAreNone() {
        runner.withUserConfiguration(OfSeveralQueues.class)
                .withPropertyValues("other.queues=typo")
                .run(context -> {
                    assertThat(context).getFailure().hasMessageContaining("Queue 'typo' is not configured");
                });
        runner.withUserConfiguration(OfSeveralQueues.class)
                .run(context -> assertThat(
                                context.getBean(TaskHandlerRegistry.class).queues())
                        .containsExactly("orders"));
    }
}
