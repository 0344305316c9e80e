// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.sharding;

import io.delayqueue.ConflictPolicy;
import io.delayqueue.Due;
import io.delayqueue.ScheduleOutcome;
import io.delayqueue.TaskContent;
import io.delayqueue.internal.calls.SendPermit;
import io.delayqueue.internal.store.InterceptedStore;
import io.delayqueue.internal.store.NewTask;
import io.delayqueue.internal.store.ScheduleReply;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.ShardingVersion;
import io.delayqueue.internal.store.TaskStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A task store that answers as a test says, and writes down what it was asked: no server fails or migrates to order.
 */
public final class ScriptedStore {

    public static final String QUEUE = "orders";
    public static final Instant DUE = Instant.ofEpochMilli(1_000);

    private final Map<String, Function<Call, CompletableFuture<?>>> answers = new ConcurrentHashMap<>();
    private final List<Call> calls = new CopyOnWriteArrayList<>();
    private volatile boolean sends = true;

    /** Returns the store. Calls that are not scripted fail. */
    public TaskStore store() {
        return InterceptedStore.of((none, method, arguments) -> {
            Call call = new Call(method.getName(), List.of(arguments));
            calls.add(call);
            call.permit().filter(permit -> sends).ifPresent(SendPermit::take);
            return answers.get(call.verb()).apply(call);
        });
    }

    public ScriptedStore on(String verb, Function<Call, CompletableFuture<?>> answer) {
        answers.put(verb, answer);
        return this;
    }

    /** From now on calls wait for a connection: nothing is sent until the test takes {@link Call#permit}. */
    public void holdBack() {
        sends = false;
    }

    /** Returns the calls of this verb so far. */
    public List<Call> calls(String verb) {
        return calls.stream().filter(call -> call.verb().equals(verb)).toList();
    }

    public static NewTask task(String id) {
        TaskContent content = new TaskContent("text/plain", Map.of(), new byte[0]);
        return new NewTask(id, new byte[16], Due.after(Duration.ofSeconds(1)), ConflictPolicy.REPLACE, content, 0);
    }

    /** Every task of the call is stored. */
    public static CompletableFuture<List<ScheduleReply>> stored(Call call) {
        return CompletableFuture.completedFuture(
                call.ids().stream().map(id -> stored()).toList());
    }

    public static ScheduleReply stored() {
        return new ScheduleReply(ScheduleOutcome.CREATED, DUE);
    }

    /** Returns an id whose home is this shard out of this number. */
    public static String idIn(int shard, int shards) {
        return Stream.iterate(0, i -> i + 1)
                .map(i -> "task-" + i)
                .filter(id -> ShardRouter.shardOf(id, shards) == shard)
                .findFirst()
                .orElseThrow();
    }

    /** One call as the store got it. */
    public record Call(String verb, List<Object> arguments) {

        public int shard() {
            return ((Shard) arguments.get(0)).index();
        }

        /** Returns the sharding that the caller used. */
        public String sharding() {
            return argument(ShardingVersion.class).text();
        }

        /** The tasks of a schedule. */
        public List<String> ids() {
            return ((List<?>) arguments.get(arguments.size() - 1))
                    .stream().map(task -> ((NewTask) task).id()).toList();
        }

        /** Returns the permit of a schedule call. */
        public Optional<SendPermit> permit() {
            return arguments.stream()
                    .filter(SendPermit.class::isInstance)
                    .map(SendPermit.class::cast)
                    .findFirst();
        }

        public <T> T argument(Class<T> type) {
            return type.cast(Arrays.stream(arguments.toArray())
                    .filter(type::isInstance)
                    .findFirst()
                    .orElseThrow());
        }
    }
}
