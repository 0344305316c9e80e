// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.transaction;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.delayqueue.CancelOutcome;
import io.delayqueue.DeferredCallFailed;
import io.delayqueue.Due;
import io.delayqueue.GroupResult;
import io.delayqueue.InvalidTaskException;
import io.delayqueue.LogLines;
import io.delayqueue.RescheduleOutcome;
import io.delayqueue.ScheduleOutcome;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.ScheduleResult;
import io.delayqueue.TaskGroup;
import io.delayqueue.TaskIds;
import io.delayqueue.TaskStoreException;
import io.delayqueue.TaskStoreUnavailableException;
import io.delayqueue.TransactionOutcomeUnknownException;
import io.delayqueue.TransactionRolledBackException;
import io.delayqueue.TypedQueue;
import io.delayqueue.UnknownQueueException;
import io.delayqueue.UpdateOutcome;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

class CallsAfterCommitIntegrationTests {

    private static final Duration HOUR = Duration.ofHours(1);

    private final List<DeferredCallFailed> failed = new ArrayList<>();

    @AutoClose
    private final TransactionalQueues queues =
            new TransactionalQueues(changes -> new CallsAfterCommit(() -> changes, failed::add));

    private final MemoryTransactions transactions = new MemoryTransactions();

    @Test
    void scheduleWhenTheTransactionCommitsStoresAfterIt() {
        List<ScheduleResult> results = new ArrayList<>();
        Instant before = Instant.now();
        transactions.required().executeWithoutResult(status -> {
            results.add(queues.template.schedule(request("orders", "a", "first")));
            assertThat(queues.has("orders", "a")).isFalse();
        });
        assertThat(results.get(0).outcome()).isEqualTo(ScheduleOutcome.DEFERRED);
        assertThat(results.get(0).dueAt())
                .isBetween(before.plus(HOUR).minusMillis(1), Instant.now().plus(HOUR));
        assertThat(queues.payload("orders", "a")).isEqualTo("first");
        assertThat(failed).isEmpty();
    }

    @Test
    void scheduleWhenTheTransactionRollsBackStoresNothing() {
        transactions.required().executeWithoutResult(status -> {
            queues.template.schedule(requestTo("orders", "x", HOUR));
            queues.template.schedule(request("orders", "a", "x"));
            status.setRollbackOnly();
        });
        assertThat(queues.has("orders", "a")).isFalse();
        assertThat(queues.calls()).doesNotContain("schedule");
    }

    @Test
    void groupWhenItIsChangedInATransactionIsChangedAfterTheCommitInTheOrderOfTheCalls() {
        TaskGroup group = queues.template.group("orders", "g");
        queues.plain.schedule(inGroup("before"));
        transactions.required().executeWithoutResult(status -> {
            assertThat(group.cancel()).isEqualTo(GroupResult.DEFERRED);
            status.setRollbackOnly();
        });
        assertThat(group.count()).isOne();

        transactions.required().executeWithoutResult(status -> {
            queues.template.schedule(inGroup("within"));
            group.cancel();
            queues.template.schedule(inGroup("after"));
            group.reschedule(Due.after(HOUR.multipliedBy(3)));
            group.shift(HOUR);
            assertThat(group.count()).isOne();
        });
        assertThat(group.list().content()).singleElement().satisfies(task -> {
            assertThat(task.id()).isEqualTo(TaskIds.inGroup("g", "after"));
            assertThat(task.dueAt()).isAfter(Instant.now().plus(HOUR.multipliedBy(3)));
        });
        assertThat(failed).isEmpty();

        transactions.required().executeWithoutResult(status -> {
            group.cancel();
            queues.goAway();
        });
        assertThat(failed).singleElement().satisfies(failure -> {
            assertThat(failure.id()).isEqualTo("{g}~");
            assertThat(failure.call()).isEqualTo("cancel");
        });
    }

    private static ScheduleRequest<?> inGroup(String id) {
        return ScheduleRequest.to("orders")
                .group("g")
                .id(id)
                .payload("x")
                .dueIn(HOUR)
                .build();
    }

    @Test
    void callsWhenThereIsNoTransactionAreMadeAtOnce() {
        assertThat(queues.template.schedule(request("orders", "a", "x")).outcome())
                .isEqualTo(ScheduleOutcome.CREATED);
        transactions
                .with(TransactionDefinition.PROPAGATION_SUPPORTS)
                .executeWithoutResult(status ->
                        assertThat(queues.template.cancel("orders", "a")).isEqualTo(CancelOutcome.CANCELLED));
    }

    @Test
    void everyFormWhenCalledInATransactionIsDeferredAndTakesEffectWithTheCommit() {
        for (String id : List.of("cancel", "cancels", "move", "moves", "now", "update", "typed", "everywhere")) {
            queues.plain.schedule(request("orders", id, "old"));
        }
        queues.plain.schedule(request("mails", "everywhere", "old"));
        Instant due = Instant.now().plusSeconds(60_000).truncatedTo(ChronoUnit.SECONDS);
        TypedQueue<String> typed = queues.template.queue("orders", String.class);

        transactions.required().executeWithoutResult(status -> {
            assertThat(queues.template.cancel("orders", "cancel")).isEqualTo(CancelOutcome.DEFERRED);
            assertThat(queues.template.cancel("orders", List.of("cancels", "cancels")))
                    .isEqualTo(Map.of("cancels", CancelOutcome.DEFERRED));
            assertThat(queues.template.cancelEverywhere("everywhere"))
                    .isEqualTo(Map.of("orders", CancelOutcome.DEFERRED, "mails", CancelOutcome.DEFERRED));
            assertThat(queues.template.reschedule("orders", "move", Due.at(due)))
                    .isEqualTo(RescheduleOutcome.DEFERRED);
            assertThat(queues.template.reschedule("orders", List.of("moves"), Due.at(due)))
                    .isEqualTo(Map.of("moves", RescheduleOutcome.DEFERRED));
            assertThat(queues.template.reschedule("orders", "now", Due.now())).isEqualTo(RescheduleOutcome.DEFERRED);
            assertThat(queues.template.updatePayload("orders", "update", "new")).isEqualTo(UpdateOutcome.DEFERRED);
            List<ScheduleResult> many = queues.template.scheduleAll(
                    List.of(request("orders", "many", "1"), request("orders", "many", "2")));
            assertThat(many)
                    .extracting(ScheduleResult::outcome)
                    .containsExactly(ScheduleOutcome.DEFERRED, ScheduleOutcome.DEFERRED);
            assertThat(typed.schedule("new", "typed new", Due.after(HOUR)).outcome())
                    .isEqualTo(ScheduleOutcome.DEFERRED);
            assertThat(typed.cancel("typed")).isEqualTo(CancelOutcome.DEFERRED);
            assertThat(typed.find("typed")).isPresent();
        });

        for (String id : List.of("cancel", "cancels", "everywhere", "typed")) {
            assertThat(queues.has("orders", id)).as(id).isFalse();
        }
        assertThat(queues.has("mails", "everywhere")).isFalse();
        for (String id : List.of("move", "moves")) {
            assertThat(queues.plain.find("orders", id).orElseThrow().dueAt()).isEqualTo(due);
        }
        assertThat(queues.plain.find("orders", "now").orElseThrow().dueAt()).isBeforeOrEqualTo(Instant.now());
        assertThat(queues.payload("orders", "update")).isEqualTo("new");
        assertThat(queues.payload("orders", "many")).isEqualTo("2");
        assertThat(queues.payload("orders", "new")).isEqualTo("typed new");
        assertThat(failed).isEmpty();
    }

    @Test
    void callsForOneTaskWhenTheTransactionCommitsAreMadeInTheirOrder() {
        transactions.required().executeWithoutResult(status -> {
            queues.template.schedule(request("orders", "a", "1"));
            queues.template.cancel("orders", "a");
            queues.template.schedule(request("orders", "a", "2"));
            queues.template.updatePayload("orders", "a", "3");
            queues.template.schedule(request("orders", "b", "1"));
            queues.template.cancel("orders", "b");
            queues.template.cancel("orders", "b");
        });
        assertThat(queues.payload("orders", "a")).isEqualTo("3");
        assertThat(queues.has("orders", "b")).isFalse();
    }

    @Test
    void manyTasksWhenTheTransactionCommitsShareCalls() {
        transactions.required().executeWithoutResult(status -> {
            for (int i = 0; i < 256; i++) {
                queues.template.schedule(request("orders", "t" + i, "x"));
            }
        });
        assertThat(queues.calls()).containsExactly("schedule", "schedule"); // of 128 tasks each
        assertThat(queues.has("orders", "t255")).isTrue();
    }

    @Test
    void payloadWhenItChangesAfterTheCallIsStoredAsItWas() {
        StringBuilder[] text = {new StringBuilder("before")};
        transactions.required().executeWithoutResult(status -> {
            queues.template.schedule(requestTo("orders", "a", List.of(text[0]), HOUR));
            text[0].append(" and after");
        });
        assertThat(new String(
                        queues.plain.find("orders", "a").orElseThrow().payload().bytes()))
                .isEqualTo("[\"before\"]");
    }

    @Test
    void badInputWhenInATransactionIsRefusedAtOnce() {
        transactions.required().executeWithoutResult(status -> {
            assertThatExceptionOfType(InvalidTaskException.class)
                    .isThrownBy(() -> queues.template.cancel("orders", "with\ttab"));
            assertThatExceptionOfType(UnknownQueueException.class)
                    .isThrownBy(() -> queues.template
                            .schedule(requestTo("nowhere", "x", HOUR))
                            .id());
            assertThatExceptionOfType(InvalidTaskException.class)
                    .isThrownBy(() -> queues.template.cancel("orders", List.of("good", "with\ttab")));
            assertThat(queues.template.async().cancel("orders", "with\ttab").toCompletableFuture())
                    .isCompletedExceptionally();
        });
        assertThat(queues.calls()).isEmpty();
    }

    @Test
    void stageWhenTheTransactionCommitsCompletesAfterItWithTheOutcome() {
        List<CompletableFuture<?>> stages = new ArrayList<>();
        Queue<String> threads = new ConcurrentLinkedQueue<>();
        transactions.required().executeWithoutResult(status -> {
            stages.add(queues.template
                    .async()
                    .schedule(request("orders", "a", "x"))
                    .whenComplete((result, error) ->
                            threads.add(Thread.currentThread().getName()))
                    .toCompletableFuture());
            stages.add(queues.template.async().cancel("orders", "a").toCompletableFuture());
            stages.add(queues.template
                    .async()
                    .reschedule("orders", "a", Due.after(HOUR))
                    .toCompletableFuture());
            assertThat(stages).noneMatch(CompletableFuture::isDone);
        });
        await().untilAsserted(() -> assertThat(stages).allMatch(CompletableFuture::isDone));
        assertThat(((ScheduleResult) stages.get(0).join()).outcome()).isEqualTo(ScheduleOutcome.CREATED);
        assertThat(stages.get(1).join()).isEqualTo(CancelOutcome.CANCELLED);
        assertThat(stages.get(2).join()).isEqualTo(RescheduleOutcome.NOT_FOUND);
        assertThat(threads)
                .allMatch(name -> name.startsWith("delayqueue-client-"))
                .isNotEmpty();
    }

    @Test
    void stageWhenTheTransactionRollsBackFails() {
        List<CompletableFuture<?>> stages = new ArrayList<>();
        transactions.required().executeWithoutResult(status -> {
            stages.add(queues.template
                    .async()
                    .schedule(request("orders", "a", "x"))
                    .toCompletableFuture());
            status.setRollbackOnly();
        });
        assertThat(stages.get(0))
                .failsWithin(Duration.ofSeconds(10))
                .withThrowableOfType(ExecutionException.class)
                .havingCause()
                .isInstanceOf(TransactionRolledBackException.class)
                .withMessageContaining("'orders'")
                .withMessageContaining("'a'");
        assertThat(queues.has("orders", "a")).isFalse();
    }

    @Test
    void callsWhenANestedTransactionRollsBackAreForgottenAndThoseAroundItAreMade() {
        TransactionTemplate nested = transactions.with(TransactionDefinition.PROPAGATION_NESTED);
        transactions.required().executeWithoutResult(outer -> {
            queues.template.schedule(request("orders", "before", "x"));
            nested.executeWithoutResult(inner -> queues.template.schedule(request("orders", "kept", "x")));
            nested.executeWithoutResult(inner -> {
                queues.template.schedule(request("orders", "dropped", "x"));
                nested.executeWithoutResult(most -> queues.template.schedule(request("orders", "deep", "x")));
                queues.template.cancel("orders", "before");
                inner.setRollbackOnly();
            });
            queues.template.schedule(request("orders", "after", "x"));
        });
        assertThat(List.of("before", "kept", "after")).allMatch(id -> queues.has("orders", id));
        assertThat(List.of("dropped", "deep")).noneMatch(id -> queues.has("orders", id));
    }

    @Test
    void callsWhenTheFirstIsInANestedTransactionThatRollsBackAreForgotten() {
        TransactionTemplate nested = transactions.with(TransactionDefinition.PROPAGATION_NESTED);
        transactions.required().executeWithoutResult(outer -> {
            nested.executeWithoutResult(inner -> {
                queues.template.schedule(request("orders", "dropped", "x"));
                inner.setRollbackOnly();
            });
            queues.template.schedule(request("orders", "after", "x"));
        });
        assertThat(queues.has("orders", "dropped")).isFalse();
        assertThat(queues.has("orders", "after")).isTrue();
    }

    @Test
    void callsWhenRolledBackToASavepointTwiceKeepWhatCameBefore() {
        List<CompletableFuture<?>> stages = new ArrayList<>();
        transactions.required().executeWithoutResult(status -> {
            queues.template.schedule(request("orders", "before", "x"));
            Object savepoint = status.createSavepoint();
            stages.add(queues.template.async().cancel("orders", "before").toCompletableFuture());
            status.rollbackToSavepoint(savepoint);
            assertThat(stages.get(0)).failsWithin(Duration.ofSeconds(10));
            queues.template.cancel("orders", "before");
            status.rollbackToSavepoint(savepoint);
        });
        assertThat(queues.has("orders", "before")).isTrue();
    }

    @Test
    void callsWhenASuspendingTransactionEndsDifferentlyShareTheEndOfTheirOwn() {
        TransactionTemplate own = transactions.with(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        TransactionTemplate none = transactions.with(TransactionDefinition.PROPAGATION_NOT_SUPPORTED);
        transactions.required().executeWithoutResult(outer -> {
            queues.template.schedule(request("orders", "outer", "x"));
            own.executeWithoutResult(inner -> queues.template.schedule(request("orders", "inner", "x")));
            assertThat(queues.has("orders", "inner")).isTrue();
            own.executeWithoutResult(inner -> {
                queues.template.schedule(request("orders", "undone", "x"));
                inner.setRollbackOnly();
            });
            none.executeWithoutResult(inner -> assertThat(queues.template
                            .schedule(request("orders", "at-once", "x"))
                            .outcome())
                    .isEqualTo(ScheduleOutcome.CREATED));
            queues.template.schedule(request("orders", "later", "x"));
            outer.setRollbackOnly();
        });
        assertThat(queues.has("orders", "inner")).isTrue();
        assertThat(List.of("outer", "undone", "later")).noneMatch(id -> queues.has("orders", id));
        assertThat(queues.calls().stream().filter("schedule"::equals)).hasSize(2);
    }

    @Test
    void callsWhenTheTransactionIsReadOnlyAreMadeAfterItAsWell() {
        TransactionTemplate readOnly = transactions.required();
        readOnly.setReadOnly(true);
        readOnly.executeWithoutResult(status -> queues.template.schedule(request("orders", "a", "x")));
        assertThat(queues.has("orders", "a")).isTrue();
    }

    @Test
    void callWhenMadeBeforeTheCommitOrTheCompletionIsMadeAfterTheCommit() {
        transactions
                .required()
                .executeWithoutResult(status -> register(new TransactionSynchronization() {
                    @Override
                    public void beforeCommit(boolean readOnly) {
                        assertThat(queues.template
                                        .schedule(request("orders", "a", "x"))
                                        .outcome())
                                .isEqualTo(ScheduleOutcome.DEFERRED);
                    }

                    @Override
                    public void beforeCompletion() {
                        assertThat(queues.template
                                        .schedule(request("orders", "b", "x"))
                                        .outcome())
                                .isEqualTo(ScheduleOutcome.DEFERRED);
                    }
                }));
        assertThat(queues.has("orders", "a")).isTrue();
        assertThat(queues.has("orders", "b")).isTrue();
    }

    @Test
    void callWhenMadeAfterTheCommitIsMadeAtOnceAndAfterThoseThatWereDeferred() {
        for (boolean withDeferred : new boolean[] {false, true}) {
            List<CancelOutcome> outcomes = new ArrayList<>();
            queues.plain.schedule(request("orders", "a", "x"));
            transactions.required().executeWithoutResult(status -> {
                register(new TransactionSynchronization() {
                    @Override
                    public int getOrder() {
                        return 0;
                    }

                    @Override
                    public void afterCommit() {
                        outcomes.add(queues.template.cancel("orders", "a"));
                    }

                    @Override
                    public void afterCompletion(int completion) {
                        outcomes.add(queues.template.cancel("orders", "a"));
                    }
                });
                if (withDeferred) {
                    queues.template.cancel("orders", "a");
                }
            });
            assertThat(outcomes)
                    .containsExactly(
                            withDeferred ? CancelOutcome.NOT_FOUND : CancelOutcome.CANCELLED, CancelOutcome.NOT_FOUND);
        }
    }

    @Test
    void callWhenInATransactionThatACallbackBeginsIsDecidedWithThatOne() {
        TransactionTemplate own = transactions.with(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        transactions
                .required()
                .executeWithoutResult(status -> register(new TransactionSynchronization() {
                    @Override
                    public void afterCommit() {
                        own.executeWithoutResult(inner -> {
                            register(new TransactionSynchronization() {});
                            queues.template.schedule(request("orders", "undone", "x"));
                            inner.setRollbackOnly();
                        });
                        own.executeWithoutResult(inner -> queues.template.schedule(request("orders", "done", "x")));
                    }
                }));
        assertThat(queues.has("orders", "undone")).isFalse();
        assertThat(queues.has("orders", "done")).isTrue();
    }

    @Test
    void callsWhenAnotherCallbackFailsAfterTheCommitAreMade() {
        assertThatThrownBy(() -> transactions.required().executeWithoutResult(status -> {
                    register(new TransactionSynchronization() {
                        @Override
                        public int getOrder() {
                            return HIGHEST_PRECEDENCE;
                        }

                        @Override
                        public void afterCommit() {
                            throw new IllegalStateException("the application's");
                        }
                    });
                    queues.template.schedule(request("orders", "a", "x"));
                }))
                .hasMessage("the application's");
        assertThat(queues.has("orders", "a")).isTrue();
    }

    @Test
    void failureAfterTheCommitIsLoggedOnceAndToldOfEachCallAndNotThrown() {
        queues.goAway();
        List<CompletableFuture<?>> stages = new ArrayList<>();
        try (LogLines log = new LogLines()) {
            transactions.required().executeWithoutResult(status -> {
                queues.template.schedule(request("orders", "a", "secret"));
                queues.template.cancel("mails", "b");
                stages.add(queues.template.async().cancel("mails", "c").toCompletableFuture());
            });
            assertThat(log.all().stream().filter(line -> line.contains("3 of 3 call(s)")))
                    .singleElement()
                    .asString()
                    .contains("'orders'", "'a'")
                    .doesNotContain("secret");
        }
        assertThat(failed)
                .extracting(DeferredCallFailed::queue, DeferredCallFailed::id, DeferredCallFailed::call)
                .containsExactly(
                        tuple("orders", "a", "schedule"), tuple("mails", "b", "cancel"), tuple("mails", "c", "cancel"));
        assertThat(failed.get(0).error()).isInstanceOf(TaskStoreUnavailableException.class);
        assertThat(failed.get(2).error())
                .isInstanceOfSatisfying(
                        TaskStoreException.class,
                        ex -> assertThat(ex.mayHaveBeenApplied()).isFalse());
        assertThat(stages.get(0)).failsWithin(Duration.ofSeconds(10));
        assertThat(queues.calls()).hasSize(1); // Redis is away: the others are not tried
    }

    @Test
    void listenerWhenItFailsHidesNoOtherFailure() {
        List<String> told = new ArrayList<>();
        TransactionalQueues failing =
                new TransactionalQueues(changes -> new CallsAfterCommit(() -> changes, failure -> {
                    told.add(failure.id());
                    throw new IllegalStateException("the application's");
                }));
        failing.goAway();
        transactions.required().executeWithoutResult(status -> {
            failing.template.cancel("orders", "a");
            failing.template.cancel("orders", "b");
        });
        assertThat(told).containsExactly("a", "b");
    }

    @Test
    void callsWhenNobodyKnowsWhetherTheTransactionCommittedAreNotMadeAndTold() {
        List<CompletableFuture<?>> stages = new ArrayList<>();
        transactions.loseCommits();
        assertThatExceptionOfType(TransactionSystemException.class)
                .isThrownBy(() -> transactions.required().executeWithoutResult(status -> {
                    queues.template.schedule(request("orders", "a", "x"));
                    stages.add(queues.template.async().cancel("orders", "b").toCompletableFuture());
                }));
        assertThat(queues.calls()).isEmpty();
        assertThat(failed)
                .hasSize(2)
                .allSatisfy(each -> assertThat(each.error()).isInstanceOf(TransactionOutcomeUnknownException.class));
        assertThat(stages.get(0)).failsWithin(Duration.ofSeconds(10));
    }

    @Test
    void nothingIsLeftBehindOnTheThread() {
        transactions.required().executeWithoutResult(status -> queues.template.schedule(request("orders", "a", "x")));
        transactions.required().executeWithoutResult(status -> {
            queues.template.schedule(request("orders", "b", "x"));
            status.setRollbackOnly();
        });
        assertThat(TransactionSynchronizationManager.getResourceMap()).isEmpty();
        assertThat(queues.template.schedule(request("orders", "c", "x")).outcome())
                .isEqualTo(ScheduleOutcome.CREATED);
    }

    private static ScheduleRequest<?> request(String queue, String id, String payload) {
        return requestTo(queue, id, payload, HOUR);
    }

    private static void register(TransactionSynchronization synchronization) {
        TransactionSynchronizationManager.registerSynchronization(synchronization);
    }
}
