// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.EncodedPayload;
import io.delayqueue.FoundTask;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.annotation.DelayQueueListener;
import io.delayqueue.handler.DelayedTask;
import jakarta.validation.Valid;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.messaging.Message;
import org.springframework.messaging.converter.MessageConversionException;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.Headers;
import org.springframework.validation.Validator;

/** What listener methods are given, and what becomes of a task where that cannot be, on a real Redis. */
@ExtendWith(OutputCaptureExtension.class)
class ListenerArgumentsIntegrationTests extends ListenerScene {

    private static final String MARK = "4111-1111";

    record Order(String card) {}

    static class Seeing {

        final List<Object> seen = new CopyOnWriteArrayList<>();
    }

    static class OfAnyPayload extends Seeing {

        @DelayQueueListener(queue = "orders")
        void handle(DelayedTask<?> task) {
            seen.add(task.payload() instanceof byte[] bytes ? new String(bytes) : task.payload());
        }
    }

    @Test
    void taskWhenItsTypeIsAWildcardIsReadAsWhatItIs() {
        runner.withUserConfiguration(OfAnyPayload.class).run(context -> {
            scheduleWith(context, "text", Map.of());
            scheduleWith(context, "bytes".getBytes(), Map.of());
            scheduleWith(context, new Order("x"), Map.of());

            List<Object> seen = context.getBean(OfAnyPayload.class).seen;
            await().atMost(PATIENCE).until(() -> seen.size() == 3);
            assertThat(seen).containsExactlyInAnyOrder("text", "bytes", Map.of("card", "x"));
        });
    }

    static class Batches<T> extends Seeing {

        @DelayQueueListener(queue = "orders", batchSize = "2", maxWait = "5s")
        void handle(T tasks) {
            seen.add(((List<?>) tasks)
                    .stream().map(task -> ((DelayedTask<?>) task).payload()).toList());
        }
    }

    static class OfWildcards extends Batches<List<? extends DelayedTask<Order>>> {}

    static class OfBatchesByItsSubclass extends Batches<List<DelayedTask<Order>>> {}

    @ParameterizedTest
    @ValueSource(classes = {OfWildcards.class, OfBatchesByItsSubclass.class})
    void methodWhenItsListIsOfAWildcardOrNamedByTheSubclassGetsABatch(Class<? extends Seeing> listener) {
        runner.withUserConfiguration(listener).run(context -> {
            scheduleWith(context, new Order("x"), Map.of());
            scheduleWith(context, new Order("y"), Map.of());

            List<Object> seen = context.getBean(listener).seen;
            await().atMost(PATIENCE).until(() -> !seen.isEmpty());
            assertThat(seen)
                    .singleElement(InstanceOfAssertFactories.LIST)
                    .containsExactlyInAnyOrder(new Order("x"), new Order("y"));
        });
    }

    static class OfHeaders extends Seeing {

        @DelayQueueListener(queue = "orders")
        void handle(
                String text,
                @Header("id") String id,
                @Header("timestamp") String timestamp,
                @Header("contentType") String contentType,
                @Headers Map<String, Object> all) {
            seen.add(List.of(id, timestamp, contentType, all.get("id")));
        }
    }

    @Test
    void headersWhenSpringHasOthersOfTheirNamesAreTheTasks() {
        runner.withUserConfiguration(OfHeaders.class).run(context -> {
            scheduleWith(
                    context,
                    "text",
                    Map.of("id", "order-42", "timestamp", "noon", "contentType", "mine", "nativeHeaders", "x"));

            List<Object> seen = context.getBean(OfHeaders.class).seen;
            await().atMost(PATIENCE).until(() -> !seen.isEmpty());
            assertThat(seen).containsExactly(List.of("order-42", "noon", "mine", "order-42"));
        });
    }

    static class OfANumber {

        @DelayQueueListener(queue = "orders")
        void handle(String text, @Header("amount") int amount) {}
    }

    @Test
    void taskWhenAHeaderIsMissingOrOfAnotherKindIsDeadAtOnceAndShowsNoValue(CapturedOutput output) {
        runner.withUserConfiguration(OfANumber.class).run(context -> {
            FoundTask<EncodedPayload> missing = awaitDead(context, "orders", scheduleWith(context, MARK, Map.of()));
            FoundTask<EncodedPayload> wrong =
                    awaitDead(context, "orders", scheduleWith(context, "x", Map.of("amount", MARK)));

            assertThat(missing.failures()).isEqualTo(1);
            assertThat(missing.lastReason())
                    .hasValueSatisfying(reason -> assertThat(reason)
                            .contains("OfANumber#handle", "MessageHandlingException (Missing header 'amount'"));
            assertThat(wrong.failures()).isEqualTo(1);
            assertThat(wrong.lastReason())
                    .hasValueSatisfying(reason -> assertThat(reason)
                            .contains("OfANumber#handle", "ConversionFailedException (to")
                            .doesNotContain(MARK));
            assertThat(output).contains("OfANumber#handle").doesNotContain(MARK);
        });
    }

    static class Throwing {

        @DelayQueueListener(queue = "orders")
        void handle(Order order) throws Throwable {
            if (order.card().startsWith("convert")) {
                throw new MessageConversionException("the socket's converter");
            }
            throw new Throwable("plain");
        }
    }

    @Test
    void taskWhenItsMethodThrowsWhatResolversThrowTooIsTriedAgain() {
        runner.withUserConfiguration(Throwing.class).run(context -> {
            FoundTask<EncodedPayload> dead =
                    awaitDead(context, "orders", scheduleWith(context, new Order("convert"), Map.of()));

            assertThat(dead.failures()).isEqualTo(2);
            assertThat(dead.lastReason())
                    .hasValueSatisfying(reason -> assertThat(reason).contains("the socket's converter"));
        });
    }

    @Test
    void taskWhenItsMethodThrowsWhatIsNoExceptionShowsNoPayload(CapturedOutput output) {
        runner.withUserConfiguration(Throwing.class).run(context -> {
            FoundTask<EncodedPayload> dead =
                    awaitDead(context, "orders", scheduleWith(context, new Order(MARK), Map.of()));

            assertThat(dead.failures()).isEqualTo(2);
            assertThat(dead.lastReason()).hasValue("java.lang.Throwable: plain");
            assertThat(output).contains("java.lang.Throwable: plain").doesNotContain(MARK);
        });
    }

    static class OfAnyMessage extends Seeing {

        @DelayQueueListener(queue = "orders")
        void handle(String text, Message<?> message) {
            seen.add(text + message.getHeaders().get("tenant"));
        }
    }

    @Test
    void messageWhenItsPayloadIsNotAskedForHasTheHeaders() {
        runner.withUserConfiguration(OfAnyMessage.class).run(context -> {
            scheduleWith(context, "x", Map.of("tenant", "blue"));

            List<Object> seen = context.getBean(OfAnyMessage.class).seen;
            await().atMost(PATIENCE).until(() -> seen.contains("xblue"));
        });
    }

    static class OfAMessage {

        @DelayQueueListener(queue = "orders")
        void handle(Message<Order> message) {}
    }

    static class OfAnOptional {

        @DelayQueueListener(queue = "orders")
        void handle(Optional<Order> order) {}
    }

    static class OfAnOptionalTask {

        @DelayQueueListener(queue = "orders")
        void handle(Optional<DelayedTask<Order>> task) {}
    }

    @SuppressWarnings("rawtypes")
    static class OfARawTask {

        @DelayQueueListener(queue = "orders")
        void handle(DelayedTask task) {}
    }

    @SuppressWarnings("rawtypes")
    static class OfRawTasks {

        @DelayQueueListener(queue = "orders")
        void handle(List<DelayedTask> tasks) {}
    }

    static class OfACollection {

        @DelayQueueListener(queue = "orders")
        void handle(Collection<? extends DelayedTask<Order>> tasks) {}
    }

    static class OfAnArray {

        @DelayQueueListener(queue = "orders")
        void handle(DelayedTask<Order>[] tasks) {}
    }

    abstract static class Of<T> {

        @DelayQueueListener(queue = "orders")
        void handle(T payload) {}
    }

    static class OfASet extends Of<Set<DelayedTask<Order>>> {}

    static class OfAnAbsentNumber {

        @DelayQueueListener(queue = "orders")
        void handle(String text, @Header(name = "priority", required = false) int priority) {}
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                OfAMessage.class,
                OfAnOptional.class,
                OfAnOptionalTask.class,
                OfARawTask.class,
                OfRawTasks.class,
                OfACollection.class,
                OfAnArray.class,
                OfASet.class,
                OfAnAbsentNumber.class
            })
    void startWhenAParameterCanNeverBeHadFailsAndSaysWhatToTake(Class<?> listener) {
        runner.withUserConfiguration(listener)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining(".handle")
                        .hasMessageFindingMatch("DelayedTask<...>|defaultValue"));
    }

    static class OfAValidTask {

        @DelayQueueListener(queue = "orders")
        void handle(@Valid DelayedTask<String> task) {}
    }

    static class OfAValidPayload {

        @DelayQueueListener(queue = "orders")
        void handle(@Valid String text) {}
    }

    @Test
    void startWhenAParameterWouldNotBeValidatedFails() {
        runner.withUserConfiguration(OfAValidTask.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("OfAValidTask.handle")
                        .hasMessageContaining("Take the payload itself"));
        Validator accepting = Validator.forInstanceOf(String.class, (text, errors) -> {});
        runner.withUserConfiguration(OfAValidPayload.class)
                .withBean("one", Validator.class, () -> accepting)
                .withBean("other", Validator.class, () -> accepting)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("OfAValidPayload.handle")
                        .hasMessageContaining("@Primary"));
        runner.withUserConfiguration(OfAValidPayload.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("OfAValidPayload.handle")
                        .hasMessageContaining("spring-boot-starter-validation"));
        runner.withUserConfiguration(OfAValidPayload.class)
                .withBean(Validator.class, () -> Validator.forInstanceOf(Order.class, (order, errors) -> {}))
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("OfAValidPayload.handle")
                        .hasMessageContaining("no Validator bean that supports class java.lang.String"));
    }

    static class OfAWrongSwitch {

        @DelayQueueListener(queue = "orders", autoStartup = "${start.it}")
        void handle(String text) {}
    }

    @ParameterizedTest
    @ValueSource(strings = {"yes", "on", "1", "TRUE"})
    void listenerWhenItsSwitchIsOnByAnyWordOfYamlStarts(String word) {
        runner.withUserConfiguration(OfAWrongSwitch.class)
                .withPropertyValues("start.it=" + word)
                .run(context -> {
                    String id = scheduleWith(context, "x", Map.of());
                    await().atMost(PATIENCE).until(() -> find(context, id).isEmpty());
                });
    }

    @Test
    void startWhenASwitchIsNeitherOnNorOffFails() {
        runner.withUserConfiguration(OfAWrongSwitch.class)
                .withPropertyValues("start.it=ture")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("OfAWrongSwitch.handle")
                        .hasMessageContaining("autoStartup is 'ture', but must be true or false"));
    }

    private static String scheduleWith(
            AssertableApplicationContext context, Object payload, Map<String, String> headers) {
        ScheduleRequest.Builder<Object> request =
                ScheduleRequest.to("orders").payload(payload).dueIn(Duration.ZERO);
        headers.forEach(request::header);
        return context.getBean(DelayQueueOperations.class)
                .schedule(request.build())
                .id();
    }

    private static Optional<FoundTask<EncodedPayload>> find(AssertableApplicationContext context, String id) {
        return context.getBean(DelayQueueOperations.class).find("orders", id);
    }
}
