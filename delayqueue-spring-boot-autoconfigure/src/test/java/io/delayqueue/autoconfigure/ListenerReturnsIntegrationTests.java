// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.EncodedPayload;
import io.delayqueue.FoundTask;
import io.delayqueue.TaskState;
import io.delayqueue.annotation.DelayQueueListener;
import io.delayqueue.handler.RetryLaterException;
import io.reactivex.rxjava3.core.Completable;
import io.reactivex.rxjava3.core.Single;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Publisher;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import reactor.adapter.JdkFlowAdapter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The fate of a task whose listener returns before its work has ended, on a real Redis. */
class ListenerReturnsIntegrationTests extends ListenerScene {

    ListenerReturnsIntegrationTests() {
        super("delayqueue.queues.orders.lease=1500ms");
    }

    /** The work of a listener, which ends when the test ends it. */
    static class Work {

        final CompletableFuture<Void> end = new CompletableFuture<>();
        final List<String> seen = new CopyOnWriteArrayList<>();

        Mono<Void> begun(String text) {
            return Mono.defer(() -> {
                seen.add(text + text);
                return Mono.fromFuture(end, true);
            });
        }
    }

    static class ReturnsMono extends Work {
        @DelayQueueListener(queue = "orders")
        Mono<Void> handle(String text) {
            return begun(text);
        }
    }

    static class ReturnsFlux extends Work {
        @DelayQueueListener(queue = "orders")
        Flux<Integer> handle(String text) {
            return Flux.range(1, 1000).concatWith(begun(text).thenReturn(1)).concatWithValues(2);
        }
    }

    static class ReturnsPublisher extends Work {
        @DelayQueueListener(queue = "orders")
        Publisher<Void> handle(String text) {
            return begun(text);
        }
    }

    static class ReturnsFlowPublisher extends Work {
        @DelayQueueListener(queue = "orders")
        Flow.Publisher<Void> handle(String text) {
            return JdkFlowAdapter.publisherToFlowPublisher(begun(text));
        }
    }

    static class ReturnsSingle extends Work {
        @DelayQueueListener(queue = "orders")
        Single<Integer> handle(String text) {
            return Single.fromPublisher(begun(text).thenReturn(7));
        }
    }

    static class ReturnsCompletable extends Work {
        @DelayQueueListener(queue = "orders")
        Completable handle(String text) {
            return Completable.fromPublisher(begun(text));
        }
    }

    static class ReturnsStage extends Work {
        @DelayQueueListener(queue = "orders")
        CompletionStage<Void> handle(String text) {
            seen.add(text + text);
            return end.minimalCompletionStage();
        }
    }

    static class DeclaresObject extends Work {
        @DelayQueueListener(queue = "orders")
        Object handle(String text) {
            return begun(text);
        }
    }

    abstract static class Generic<R> extends Work {
        @DelayQueueListener(queue = "orders")
        R handle(String text) {
            return result(begun(text));
        }

        abstract R result(Mono<Void> mono);
    }

    static class ReturnsMonoByItsSubclass extends Generic<Mono<Void>> {
        @Override
        Mono<Void> result(Mono<Void> mono) {
            return mono;
        }
    }

    @EnableAsync
    @Configuration(proxyBeanMethods = false)
    static class AsyncEnabled {}

    static class IsAsync extends Work {
        @Async
        @DelayQueueListener(queue = "orders")
        public CompletableFuture<Void> handle(String text) {
            return begun(text).toFuture();
        }
    }

    enum Kind {
        MONO(ReturnsMono::new),
        FLUX(ReturnsFlux::new),
        PUBLISHER(ReturnsPublisher::new),
        FLOW_PUBLISHER(ReturnsFlowPublisher::new),
        RX_SINGLE(ReturnsSingle::new),
        RX_COMPLETABLE(ReturnsCompletable::new),
        STAGE(ReturnsStage::new),
        DECLARED_AS_OBJECT(DeclaresObject::new),
        DECLARED_BY_A_TYPE_VARIABLE(ReturnsMonoByItsSubclass::new);

        private final Supplier<Work> listener;

        Kind(Supplier<Work> listener) {
            this.listener = listener;
        }
    }

    @ParameterizedTest
    @EnumSource
    void taskWhenTheWorkGoesOnStaysLeasedUntilItEnds(Kind kind) {
        Work listener = kind.listener.get();
        with(listener).run(context -> {
            String id = schedule(context, "orders", "x");
            await().atMost(PATIENCE).until(() -> listener.seen.contains("xx"));
            await().during(Duration.ofMillis(2000))
                    .atMost(PATIENCE)
                    .until(() -> find(context, id).map(FoundTask::state).equals(Optional.of(TaskState.LEASED)));
            listener.end.complete(null);
            await().atMost(PATIENCE).until(() -> find(context, id).isEmpty());
            assertThat(listener.seen).containsExactly("xx");
        });
    }

    @ParameterizedTest
    @EnumSource
    void taskWhenTheWorkFailsIsTriedAgainAndDeadAfterTheLastAttempt(Kind kind) {
        Work listener = kind.listener.get();
        with(listener).run(context -> {
            listener.end.completeExceptionally(new IllegalStateException("no luck"));
            FoundTask<EncodedPayload> dead = awaitDead(context, "orders", schedule(context, "orders", "x"));
            assertThat(dead.failures()).isEqualTo(2);
            assertThat(dead.lastReason()).hasValue("java.lang.IllegalStateException: no luck");
            assertThat(listener.seen).containsExactly("xx", "xx");
        });
    }

    static class AsksForATime extends Work {
        @DelayQueueListener(queue = "orders")
        Mono<Void> handle(String text) {
            seen.add(text);
            return Mono.error(new RetryLaterException("later", Duration.ofHours(1)));
        }
    }

    @Test
    void taskWhenTheWorkFailsWithAdviceIsTriedAgainAsThatSays() {
        runner.withBean(AsksForATime.class).run(context -> {
            String id = schedule(context, "orders", "x");
            await().atMost(PATIENCE).until(() -> find(context, id).orElseThrow().failures() == 1);
            assertThat(find(context, id).orElseThrow().state()).isEqualTo(TaskState.SCHEDULED);
        });
    }

    static class NeverEnds extends Work {
        @DelayQueueListener(queue = "orders", shutdownTimeout = "50ms")
        Mono<Void> handle(String text) {
            return Mono.<Void>never()
                    .doOnSubscribe(subscription -> seen.add(text))
                    .doOnCancel(() -> seen.add("cancelled"));
        }
    }

    static class NeverCompletes extends Work {
        @DelayQueueListener(queue = "orders", shutdownTimeout = "50ms")
        CompletableFuture<Void> handle(String text) {
            seen.add(text);
            return end;
        }
    }

    @Test
    void subscriptionWhenTheApplicationStopsIsCancelledAndTheTaskGivenBack() {
        NeverEnds listener = new NeverEnds();
        givesBackWhenStopped(
                listener, listener.seen, () -> assertThat(listener.seen).containsExactly("x", "cancelled"));
    }

    @Test
    void stageWhenTheApplicationStopsIsLeftAloneAndTheTaskGivenBack() {
        NeverCompletes listener = new NeverCompletes();
        givesBackWhenStopped(
                listener, listener.seen, () -> assertThat(listener.end).isNotDone());
    }

    private void givesBackWhenStopped(Object listener, List<String> seen, Runnable afterwards) {
        String[] id = new String[1];
        with(listener).run(context -> {
            id[0] = schedule(context, "orders", "x");
            await().atMost(PATIENCE).until(() -> seen.contains("x"));
        });
        afterwards.run();
        runner.run(context -> {
            FoundTask<String> task = find(context, id[0]).orElseThrow();
            assertThat(task.state()).isEqualTo(TaskState.SCHEDULED);
            assertThat(task.failures()).isZero();
        });
    }

    static class ReturnsAValue extends Work {
        @DelayQueueListener(queue = "orders")
        String handle(String text) {
            seen.add(text);
            return "done";
        }
    }

    static class ReturnsNoMono extends Work {
        @DelayQueueListener(queue = "orders")
        Mono<Void> handle(String text) {
            seen.add(text);
            return null;
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {ReturnsAValue.class, ReturnsNoMono.class})
    void taskWhenTheListenerReturnsAValueOrNothingToWaitForIsAcknowledged(Class<? extends Work> type) throws Exception {
        Work listener = type.getDeclaredConstructor().newInstance();
        with(listener).run(context -> {
            String id = schedule(context, "orders", "x");
            await().atMost(PATIENCE).until(() -> find(context, id).isEmpty());
            assertThat(listener.seen).containsExactly("x");
        });
    }

    static class ReturnsFutureAsObject {
        @DelayQueueListener(queue = "orders")
        Object handle(String text) {
            return new FutureTask<>(() -> text);
        }
    }

    @Test
    void taskWhenAnUndeclaredFutureIsReturnedIsDeadAtOnceAndSaysWhy() {
        runner.withBean(ReturnsFutureAsObject.class).run(context -> {
            FoundTask<EncodedPayload> dead = awaitDead(context, "orders", schedule(context, "orders", "x"));
            assertThat(dead.failures()).isEqualTo(1);
            assertThat(dead.lastReason())
                    .hasValueSatisfying(reason -> assertThat(reason).contains("java.util.concurrent.FutureTask"));
        });
    }

    static class ReturnsFuture {
        @DelayQueueListener(queue = "orders")
        Future<Void> handle(String text) {
            throw new IllegalStateException(text);
        }
    }

    static class ReturnsCallable {
        @DelayQueueListener(queue = "orders")
        Callable<Void> handle(String text) {
            throw new IllegalStateException(text);
        }
    }

    static class ReturnsStream {
        @DelayQueueListener(queue = "orders")
        Stream<String> handle(String text) {
            throw new IllegalStateException(text);
        }
    }

    static class ReturnsMonos {
        @DelayQueueListener(queue = "orders")
        List<Mono<Void>> handle(String text) {
            throw new IllegalStateException(text);
        }
    }

    static class ReturnsFutures {
        @DelayQueueListener(queue = "orders")
        CompletableFuture<?>[] handle(String text) {
            throw new IllegalStateException(text);
        }
    }

    static class ReturnsMonoOfMono {
        @DelayQueueListener(queue = "orders")
        Mono<? extends Mono<Void>> handle(String text) {
            throw new IllegalStateException(text);
        }
    }

    static class IsAsyncVoid {
        @Async
        @DelayQueueListener(queue = "orders")
        public void handle(String text) {
            throw new IllegalStateException(text);
        }
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                ReturnsFuture.class,
                ReturnsCallable.class,
                ReturnsStream.class,
                ReturnsMonos.class,
                ReturnsFutures.class,
                ReturnsMonoOfMono.class,
                IsAsyncVoid.class
            })
    void startWhenAListenerReturnsWhatNobodyCanWaitForFailsAndSaysWhatToReturn(Class<?> type) {
        runner.withUserConfiguration(AsyncEnabled.class)
                .withBean(type)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining(type.getSimpleName() + ".handle")
                        .hasMessageContaining("before its work has ended")
                        .hasMessageContaining("CompletableFuture"));
    }

    @Test
    void taskWhenTheMethodIsAsyncAndReturnsAFutureStaysLeasedUntilItEnds() {
        IsAsync listener = new IsAsync();
        with(listener).withUserConfiguration(AsyncEnabled.class).run(context -> {
            String id = schedule(context, "orders", "x");
            await().atMost(PATIENCE).until(() -> listener.seen.contains("xx"));
            assertThat(find(context, id).orElseThrow().state()).isEqualTo(TaskState.LEASED);
            listener.end.complete(null);
            await().atMost(PATIENCE).until(() -> find(context, id).isEmpty());
        });
    }

    @SuppressWarnings("unchecked")
    private ApplicationContextRunner with(Object listener) {
        return runner.withBean((Class<Object>) listener.getClass(), () -> listener);
    }

    private static Optional<FoundTask<String>> find(AssertableApplicationContext context, String id) {
        return context.getBean(DelayQueueOperations.class).find("orders", id, String.class);
    }
}
