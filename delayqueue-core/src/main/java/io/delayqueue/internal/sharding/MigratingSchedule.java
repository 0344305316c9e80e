// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.sharding;

import io.delayqueue.ScheduleOutcome;
import io.delayqueue.internal.calls.SendPermit;
import io.delayqueue.internal.concurrent.Causes;
import io.delayqueue.internal.store.NewTask;
import io.delayqueue.internal.store.ScheduleMode;
import io.delayqueue.internal.store.ScheduleReply;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.ShardingVersion;
import io.delayqueue.internal.store.TaskStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.ObjIntConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Stores tasks of a queue whose tasks may be migrating. First looks for each task in its earlier shards and applies the
 * conflict policy there. If no shard has the task, creates it in its present shard. Passes the fencing tokens of the
 * earlier shards to this shard, because they may have delivered an earlier task with the id.
 */
final class MigratingSchedule {

    private final TaskStore store;
    private final String queue;
    private final List<NewTask> tasks;
    private final AtomicReferenceArray<@Nullable ScheduleReply> replies;
    private final SendPermit permit;
    private final ObjIntConsumer<ScheduleReply> stored;

    /**
     * @param known replies that are already known for these tasks; may be empty
     * @param permit permit to take before sending anything
     * @param stored called once for each stored task, with its position in the call
     */
    MigratingSchedule(
            TaskStore store,
            String queue,
            List<NewTask> tasks,
            List<ScheduleReply> known,
            SendPermit permit,
            ObjIntConsumer<ScheduleReply> stored) {
        this.permit = permit;
        this.stored = stored;
        this.store = store;
        this.queue = queue;
        this.tasks = tasks;
        this.replies = new AtomicReferenceArray<>(tasks.size());
        for (int task = 0; task < known.size(); task++) {
            if (known.get(task).state() == ScheduleReply.State.DONE) {
                done(task, known.get(task));
            }
        }
    }

    private void done(int task, ScheduleReply reply) {
        replies.set(task, reply);
        stored.accept(reply, task);
    }

    /** Tries to store all tasks. Completes with null if some of them must be retried. */
    CompletableFuture<@Nullable List<ScheduleReply>> tryAll(Sharding sharding) {
        int[] open = IntStream.range(0, tasks.size())
                .filter(task -> replies.get(task) == null)
                .toArray();
        Round round = new Round(sharding.version());
        CompletableFuture<Void> steps = CompletableFuture.completedFuture(null);
        if (sharding.isMigrating()) {
            steps = round.step(open, sharding.earlier(), true);
        }
        return steps.thenCompose(ignored -> round.step(open, sharding.shards(), false))
                .handle((ignored, error) -> {
                    // Also runs after an error: stored tasks may already be delivered and must not be stored again.
                    round.settle(open);
                    if (error != null) {
                        throw new CompletionException(Causes.of(error));
                    }
                    return allReplies();
                });
    }

    private @Nullable List<ScheduleReply> allReplies() {
        List<ScheduleReply> all = new ArrayList<>(tasks.size());
        for (int task = 0; task < tasks.size(); task++) {
            ScheduleReply reply = replies.get(task);
            if (reply == null) {
                return null;
            }
            all.add(reply);
        }
        return all;
    }

    /** One round of calls to the shards of the tasks, with a fixed sharding. */
    private final class Round {

        private final ShardingVersion version;
        private final @Nullable ScheduleReply[] found = new ScheduleReply[tasks.size()];
        private final boolean[] migrating = new boolean[tasks.size()];
        private final AtomicLong leastToken = new AtomicLong();

        Round(ShardingVersion version) {
            this.version = version;
        }

        CompletableFuture<Void> step(int[] open, int shards, boolean onlyStored) {
            Map<Integer, List<Integer>> byShard = new TreeMap<>();
            for (int task : open) {
                if (!migrating[task]) {
                    // A task that was found is not created again. A second copy, left by a process that died, is also
                    // replaced.
                    boolean held = onlyStored || found[task] != null;
                    int shard = ShardRouter.shardOf(tasks.get(task).id(), shards);
                    byShard.computeIfAbsent(shard * 2 + (held ? 1 : 0), s -> new ArrayList<>())
                            .add(task);
                }
            }
            return CompletableFuture.allOf(byShard.entrySet().stream()
                    .map(entry -> call(new Shard(queue, entry.getKey() / 2), entry.getKey() % 2 == 1, entry.getValue()))
                    .toArray(CompletableFuture[]::new));
        }

        private CompletableFuture<Void> call(Shard shard, boolean onlyStored, List<Integer> which) {
            List<NewTask> batch = which.stream().map(tasks::get).toList();
            return store.tasks()
                    .schedule(
                            shard,
                            version,
                            onlyStored ? ScheduleMode.ONLY_STORED : ScheduleMode.EACH,
                            leastToken.get(),
                            permit,
                            batch)
                    .thenAccept(answers -> {
                        for (int i = 0; i < answers.size(); i++) {
                            note(which.get(i), answers.get(i));
                        }
                    });
        }

        private void note(int task, ScheduleReply answer) {
            switch (answer.state()) {
                case DONE -> found[task] = both(found[task], answer);
                case MIGRATING -> migrating[task] = true;
                // The next shard is called.
                case ABSENT -> leastToken.accumulateAndGet(answer.lastToken(), Math::max);
            }
        }

        /**
         * Combines the replies for two copies of a task: returns the first reply, unless only the second copy was
         * changed.
         */
        private ScheduleReply both(@Nullable ScheduleReply first, ScheduleReply second) {
            if (first == null) {
                return second;
            }
            ScheduleReply answer = (first.outcome() == ScheduleOutcome.KEPT) ? second : first;
            return answer.on(Math.min(first.replicas(), second.replicas()));
        }

        void settle(int[] open) {
            for (int task : open) {
                ScheduleReply reply = migrating[task] ? null : found[task];
                if (reply != null) {
                    done(task, reply);
                }
            }
        }
    }
}
