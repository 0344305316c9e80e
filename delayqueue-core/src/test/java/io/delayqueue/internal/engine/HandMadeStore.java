// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.TaskContent;
import io.delayqueue.internal.store.AcquireRequest;
import io.delayqueue.internal.store.AcquiredTask;
import io.delayqueue.internal.store.Acquisition;
import io.delayqueue.internal.store.InterceptedStore;
import io.delayqueue.internal.store.RateTokens;
import io.delayqueue.internal.store.Renewal;
import io.delayqueue.internal.store.Settlement;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.TaskStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A store that returns the tasks of one queue that a test puts into it, each once, and records its calls. */
final class HandMadeStore {

    /** Answers of acquires that come before all tasks. */
    final Queue<CompletableFuture<Acquisition>> answers = new ConcurrentLinkedQueue<>();

    final List<AcquireRequest> acquires = Collections.synchronizedList(new ArrayList<>());

    /** Answers of calls for tokens. */
    final Queue<CompletableFuture<RateTokens>> tokens = new ConcurrentLinkedQueue<>();

    /** The server with the rate of the queue. */
    volatile String rateServer = TaskStore.ONLY_SERVER;

    /** As "ACK a" or "RELEASE b". */
    final Queue<String> ended = new ConcurrentLinkedQueue<>();

    private final Map<Integer, Deque<AcquiredTask>> due = new ConcurrentHashMap<>();
    private long token;

    static AcquiredTask task(String id, Instant dueAt, int leaseExpiries) {
        TaskContent content = new TaskContent("text/plain", Map.of(), new byte[0]);
        return new AcquiredTask(id, "", dueAt, 0, leaseExpiries, content);
    }

    static Acquisition acquisition(Shard shard, AcquiredTask... tasks) {
        return new Acquisition(
                shard,
                7,
                List.of(tasks),
                null,
                micros(),
                System.nanoTime(),
                Map.of(),
                List.of(),
                false,
                Duration.ZERO,
                0);
    }

    private static long micros() {
        return Instant.now().toEpochMilli() * 1000;
    }

    synchronized void put(int shard, AcquiredTask task) {
        due.computeIfAbsent(shard, number -> new ArrayDeque<>()).add(task);
    }

    void put(int shard, String id) {
        put(shard, task(id, Instant.now(), 0));
    }

    int requested() {
        synchronized (acquires) {
            return acquires.size();
        }
    }

    TaskStore store() {
        return InterceptedStore.of((none, method, arguments) -> switch (method.getName()) {
            case "callTimeout" -> Duration.ofSeconds(2);
            case "serverOf" -> arguments[0] instanceof String ? rateServer : TaskStore.ONLY_SERVER;
            case "takeTokens" -> tokens.remove();
            case "releaseLost" -> false;
            case "acquire" -> acquire((Shard) arguments[0], (AcquireRequest) arguments[1]);
            case "settle" -> settle((List<?>) arguments[1]);
            case "renew" ->
                CompletableFuture.completedFuture(Collections.nCopies(((List<?>) arguments[1]).size(), Renewal.HELD));
            default -> throw new UnsupportedOperationException(method.getName());
        });
    }

    private synchronized CompletableFuture<Acquisition> acquire(Shard shard, AcquireRequest request) {
        acquires.add(request);
        CompletableFuture<Acquisition> answer = answers.poll();
        if (answer != null) {
            return answer;
        }
        Deque<AcquiredTask> waiting = due.computeIfAbsent(shard.index(), number -> new ArrayDeque<>());
        List<AcquiredTask> taken = new ArrayList<>();
        List<AcquiredTask> passedOver = new ArrayList<>();
        int suspects = 0;
        while (!waiting.isEmpty() && taken.size() < request.limit()) {
            AcquiredTask next = waiting.remove();
            boolean fits = !next.isSuspect() || suspects < request.maxSuspects();
            suspects += (fits && next.isSuspect()) ? 1 : 0;
            (fits ? taken : passedOver).add(next);
        }
        passedOver.forEach(waiting::add);
        boolean more = !waiting.isEmpty() && passedOver.isEmpty();
        Duration untilNext = more ? Duration.ZERO : null;
        return CompletableFuture.completedFuture(new Acquisition(
                shard,
                ++token,
                taken,
                untilNext,
                micros(),
                System.nanoTime(),
                Map.of(),
                List.of(),
                false,
                Duration.ZERO,
                0));
    }

    private CompletableFuture<List<Boolean>> settle(List<?> settlements) {
        settlements.forEach(each -> ended.add(((Settlement) each).verb() + " " + ((Settlement) each).id()));
        return yes(settlements);
    }

    private static CompletableFuture<List<Boolean>> yes(List<?> batch) {
        return CompletableFuture.completedFuture(Collections.nCopies(batch.size(), true));
    }
}
