// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.client;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.delayqueue.TaskStoreTimeoutException;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.admin.TaskQuery;
import io.delayqueue.internal.admin.RedriveProcess;
import io.delayqueue.internal.admin.TaskStoreAdmin;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.sharding.Resharding;
import io.delayqueue.internal.sharding.Shardings;
import io.delayqueue.internal.store.InterceptedStore;
import io.delayqueue.internal.store.TaskStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A store whose stages never complete blocks callers no longer than its calls may take. */
class BoundedAdminCallsTests {

    private static final String QUEUE = "orders";
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private static final Map<String, Consumer<DelayQueueAdmin>> CALLS = Map.ofEntries(
            Map.entry("statsByQueue", DelayQueueAdmin::statsByQueue),
            Map.entry("stats", admin -> admin.stats(QUEUE)),
            Map.entry("now", admin -> admin.now(QUEUE)),
            Map.entry("liveTasks", admin -> admin.liveTasks(QUEUE, TaskQuery.first(10))),
            Map.entry("history", admin -> admin.history(QUEUE, "a")),
            Map.entry("deadTasks", admin -> admin.deadTasks(QUEUE, TaskQuery.first(10))),
            Map.entry("redrive", admin -> admin.redrive(QUEUE, List.of("a", "b"))),
            Map.entry("redrivePaced", admin -> admin.redrive(QUEUE, List.of("a", "b"), 100)),
            Map.entry("redriveAll", admin -> admin.redriveAll(QUEUE, 100)),
            Map.entry("discard", admin -> admin.discard(QUEUE, "a")),
            Map.entry("pause", admin -> admin.pause(QUEUE)),
            Map.entry("pauseFor", admin -> admin.pause(QUEUE, "ada", "", null)),
            Map.entry("resume", admin -> admin.resume(QUEUE)),
            Map.entry("isPaused", admin -> admin.isPaused(QUEUE)),
            Map.entry("keyLimits", admin -> admin.keyLimits(QUEUE, "k")),
            Map.entry("waitingKeys", admin -> admin.waitingKeys(QUEUE)),
            Map.entry("waitingKey", admin -> admin.waitingKey(QUEUE, "k")),
            Map.entry("purge", admin -> admin.purge(QUEUE, QUEUE)),
            Map.entry("reshard", admin -> admin.reshard(QUEUE, 8)));

    private final QueueCatalog queues = RedriveProcess.queues(QUEUE, 2);

    static Set<String> calls() {
        return CALLS.keySet();
    }

    @ParameterizedTest
    @MethodSource("calls")
    void callWhenTheStoreNeverAnswersEndsByItself(String call) {
        DelayQueueAdmin admin = admin(Shardings.fixed(queues));
        assertTimeoutPreemptively(
                PATIENCE,
                () -> assertThatThrownBy(() -> CALLS.get(call).accept(admin))
                        .isInstanceOf(TaskStoreTimeoutException.class)
                        .hasMessageContaining(QUEUE));
    }

    @ParameterizedTest
    @ValueSource(strings = {"stats", "reshard"})
    void callWhenTheShardingIsNeverReadEndsByItself(String call) {
        DelayQueueAdmin admin = admin(new Shardings(neverAnswering().shardings(), queues, new Scheduler()));
        assertTimeoutPreemptively(
                PATIENCE,
                () -> assertThatThrownBy(() -> CALLS.get(call).accept(admin))
                        .isInstanceOf(TaskStoreTimeoutException.class));
    }

    private DelayQueueAdmin admin(Shardings shardings) {
        TaskStore store = neverAnswering();
        Resharding resharding = new Resharding(store, shardings);
        return new TaskStoreAdmin(store, queues, shardings, resharding);
    }

    private static TaskStore neverAnswering() {
        return InterceptedStore.of((none, method, arguments) ->
                method.getName().equals("callTimeout") ? Duration.ofMillis(50) : new CompletableFuture<>());
    }
}
