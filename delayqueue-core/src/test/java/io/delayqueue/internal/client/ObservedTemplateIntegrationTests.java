// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.client;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.delayqueue.BatchFailedException;
import io.delayqueue.CancelOutcome;
import io.delayqueue.DelayQueueException;
import io.delayqueue.Due;
import io.delayqueue.ScheduleObservationContext;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.TransactionMode;
import io.delayqueue.internal.codec.PayloadCodecs;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.queue.QueueSettingsBuilder;
import io.delayqueue.internal.queue.TaskBounds;
import io.delayqueue.internal.redis.StoreFixture;
import io.delayqueue.internal.transaction.DeferredCall;
import io.delayqueue.internal.transaction.TransactionalCalls;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The observations of the client's calls, and the headers that observers add to tasks. */
class ObservedTemplateIntegrationTests {

    private final List<String> ended = new CopyOnWriteArrayList<>();
    private final ObservationRegistry registry = ObservationRegistry.create();

    @AutoClose
    private final StoreFixture redis = new StoreFixture();

    private final DelayQueueTemplate plain = new DelayQueueTemplate(
            redis.store(),
            new QueueCatalog(
                    List.of(QueueSettingsBuilder.withDefaults("orders"), QueueSettingsBuilder.withDefaults("mails"))),
            new PayloadCodecs(List.of()),
            new TaskBounds(1000, 100, 20));
    private final DelayQueueTemplate template;

    ObservedTemplateIntegrationTests() {
        registry.observationConfig().observationHandler(new Tracing());
        template = plain.observed(registry);
    }

    @Test
    void callsWhenTheyAreAnsweredEndTheirObservationsWithTheOutcome() {
        String id =
                template.schedule(requestTo("orders", "x", Duration.ofHours(1))).id();
        template.reschedule("orders", id, Due.after(Duration.ofHours(2)));
        template.updatePayload("orders", id, "y");
        template.cancel("orders", id);
        template.cancel("orders", List.of(id, "other"));
        template.scheduleAll(List.of(request("mails", "a"), request("mails", "b")));
        template.scheduleAll(List.of(request("mails", "a"), request("orders", "c")));

        assertThat(ended)
                .containsExactly(
                        "schedule orders created",
                        "reschedule orders rescheduled",
                        "update orders updated",
                        "cancel orders cancelled",
                        "cancel orders not_found",
                        "schedule mails created",
                        "schedule several mixed");
    }

    @Test
    void callsWhenTheyAreAsynchronousEndTheirObservationsWithTheirStages() {
        template.async()
                .schedule(request("orders", "a"))
                .thenCompose(result -> template.async().cancel("orders", "a"))
                .toCompletableFuture()
                .join();

        await().until(() -> ended.size() == 2);
        assertThat(ended).containsExactlyInAnyOrder("schedule orders created", "cancel orders cancelled");
    }

    /** Otherwise no alert on failed calls would report it. */
    @Test
    void callsForManyTasksWhenSomeFailEndTheirObservationsWithTheReason() {
        ScheduleRequest<?> replicated = ScheduleRequest.to("orders")
                .payload("x")
                .dueIn(Duration.ofHours(1))
                .minReplicas(1)
                .build();

        assertThatExceptionOfType(BatchFailedException.class)
                .isThrownBy(() -> template.scheduleAll(List.of(request("orders", "a"), replicated)));

        assertThat(ended).containsExactly("schedule orders error TaskNotReplicatedException");
    }

    @Test
    void changesOfGroupsAreObserved() {
        template.schedule(request("orders", "{g}a"));
        ended.clear();

        template.group("orders", "g").shift(Duration.ofMinutes(1));
        template.group("orders", "g").reschedule(Due.after(Duration.ofHours(2)));
        template.group("orders", "g").cancel();
        assertThatThrownBy(() -> template.group("orders", "g").shift(Duration.ofDays(10_000_000)))
                .isInstanceOf(DelayQueueException.class);

        assertThat(ended).containsExactly("reschedule orders mixed", "reschedule orders mixed", "cancel orders mixed");
    }

    @Test
    void callsWhenTheQueueIsNotConfiguredAreObservedAsOfAnUnknownOne() {
        List<ThrowingCallable> calls = List.of(
                () -> template.schedule(requestTo("from-a-url", "x", Duration.ZERO))
                        .id(),
                () -> template.async()
                        .schedule(request("from-a-url", "a"))
                        .toCompletableFuture()
                        .join(),
                () -> template.scheduleAll(List.of(request("from-a-url", "a"))),
                () -> template.cancel("from-a-url", "a"),
                () -> template.async()
                        .cancel("from-a-url", "a")
                        .toCompletableFuture()
                        .join(),
                () -> template.cancel("from-a-url", List.of("a")),
                () -> template.reschedule("from-a-url", "a", Due.after(Duration.ZERO)),
                () -> template.async()
                        .reschedule("from-a-url", "a", Due.after(Duration.ZERO))
                        .toCompletableFuture()
                        .join(),
                () -> template.reschedule("from-a-url", List.of("a"), Due.after(Duration.ZERO)),
                () -> template.updatePayload("from-a-url", "a", "x"));

        calls.forEach(call -> assertThatThrownBy(call).hasMessageContaining("from-a-url"));

        await().until(() -> ended.size() == calls.size());
        assertThat(ended)
                .allSatisfy(observed ->
                        assertThat(observed).containsPattern("^[a-z]+ unknown error UnknownQueueException$"));
    }

    @Test
    void headersThatObserversAddAreOutsideTheLimitsAndReplaceNoneOfTheTask() {
        template.schedule(ScheduleRequest.to("orders")
                .id("full")
                .payload("x")
                .header("a", "0123456789012345678")
                .dueIn(Duration.ofHours(1))
                .build());
        template.schedule(ScheduleRequest.to("orders")
                .id("own")
                .payload("x")
                .header("traceparent", "mine")
                .dueIn(Duration.ofHours(1))
                .build());
        plain.schedule(request("orders", "plain"));
        template.update("orders", "plain", null, Map.of("b", "c"));

        assertThat(headers("full")).isEqualTo(Map.of("a", "0123456789012345678", "traceparent", "trace"));
        assertThat(headers("own")).isEqualTo(Map.of("traceparent", "mine"));
        assertThat(headers("plain")).isEqualTo(Map.of("b", "c"));
    }

    @Test
    void callsWithinATransactionAreObservedAndCarryTheTraceToItsCommit() {
        List<DeferredCall<?>> deferred = new CopyOnWriteArrayList<>();
        DelayQueueTemplate transactional = plain.within(mode -> new OpenTransaction(deferred), TransactionMode.OUTBOX)
                .observed(registry);

        transactional.schedule(request("orders", "later"));
        assertThat(transactional.cancel("orders", "later")).isEqualTo(CancelOutcome.DEFERRED);

        assertThat(ended).containsExactly("schedule orders deferred", "cancel orders deferred");
        transactional.changes().carryOut(List.of(deferred.get(0).change()));
        assertThat(headers("later")).containsEntry("traceparent", "trace");
    }

    private Map<String, String> headers(String id) {
        return plain.find("orders", id).orElseThrow().headers();
    }

    private static ScheduleRequest<?> request(String queue, String id) {
        return requestTo(queue, id, "x", Duration.ofHours(1));
    }

    private record OpenTransaction(List<DeferredCall<?>> calls) implements TransactionalCalls {

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void add(List<? extends DeferredCall<?>> more) {
            calls.addAll(more);
        }
    }

    /** Writes a header, as a tracer does, and notes what ends. */
    private final class Tracing implements ObservationHandler<ScheduleObservationContext> {

        @Override
        public boolean supportsContext(Observation.Context context) {
            return context instanceof ScheduleObservationContext;
        }

        @Override
        public void onStart(ScheduleObservationContext context) {
            context.getSetter().set(context.getCarrier(), "traceparent", "trace");
        }

        @Override
        public void onStop(ScheduleObservationContext context) {
            Throwable error = context.getError();
            ended.add(context.operation() + " " + context.queue() + " " + context.outcome()
                    + (error == null ? "" : " " + error.getClass().getSimpleName()));
        }
    }
}
