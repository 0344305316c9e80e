// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.sharding;

import io.delayqueue.TaskStoreException;
import io.delayqueue.internal.calls.StoreAnswers;
import io.delayqueue.internal.input.PrintableText;
import io.delayqueue.internal.store.MigrationHold;
import io.delayqueue.internal.store.MigrationPage;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.ShardingVersion;
import io.delayqueue.internal.store.TaskStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Migrates tasks of a queue to the shards where its sharding puts them. A task that migrates is held at the shard it
 * comes from, taken in by the other one, and only then deleted; whoever meets the hold waits for it to end. A process
 * that dies meanwhile leaves holds that run out. The other shard takes nothing in when half of that time has passed, so
 * that a task cannot turn up there after it was let go here, as long as the clocks of the servers agree within that
 * half.
 */
final class ShardMigration {

    static final Duration HOLD = Duration.ofMillis(1500);

    private static final Logger log = LoggerFactory.getLogger(ShardMigration.class);
    private static final int BATCH = 100;
    private static final int MAX_BYTES = 4 * 1024 * 1024;
    private static final int MOST_LOOKED_AT = 100;
    private static final int LEAST_LOOKED_AT = 10;

    private final TaskStore store;
    private final String queue;
    private final Sharding sharding;
    private final ShardingVersion version;
    private final BooleanSupplier mayGoOn;
    private final List<Integer> everywhere;
    /** All shards, or those that tasks could not leave in the pass before. */
    private List<Integer> where;

    private boolean reportedNewer;

    /** @param mayGoOn asked before each step */
    ShardMigration(TaskStore store, String queue, Sharding sharding, BooleanSupplier mayGoOn) {
        this.store = store;
        this.queue = queue;
        this.sharding = sharding;
        this.version = sharding.version();
        this.mayGoOn = mayGoOn;
        this.everywhere = IntStream.range(0, sharding.span()).boxed().toList();
        this.where = everywhere;
    }

    Sharding sharding() {
        return sharding;
    }

    /**
     * Goes once through the shards, on the calling thread. If tasks had to stay, the next pass looks in their shards
     * only.
     *
     * @throws io.delayqueue.internal.store.ShardingChangedException if the sharding is no longer in force
     * @throws TaskStoreException if Redis did not answer
     */
    Pass pass() {
        Pass pass = new Pass(where == everywhere);
        goThroughShards(pass);
        where = pass.isComplete() && !pass.left().isEmpty() ? List.copyOf(pass.left()) : everywhere;
        return pass;
    }

    private void goThroughShards(Pass pass) {
        for (int shard : where) {
            String cursor = MigrationPage.START;
            int count = LEAST_LOOKED_AT;
            MigrationPage page;
            do {
                if (!mayGoOn.getAsBoolean()) {
                    pass.complete = false;
                    return;
                }
                page = StoreAnswers.await(store.migrations().scan(new Shard(queue, shard), version, cursor, count));
                cursor = page.cursor();
                count = nextCount(count, page.bytes());
                migrate(shard, page.tasks(), pass);
            } while (page.more());
        }
    }

    /** The store reads whole payloads to give the ids, so large ones are to come few at a time. */
    private static int nextCount(int count, long bytes) {
        return bytes > MAX_BYTES / 4 ? Math.max(LEAST_LOOKED_AT, count / 2) : Math.min(MOST_LOOKED_AT, count * 2);
    }

    private void migrate(int from, List<MigrationPage.Entry> tasks, Pass pass) {
        Map<Integer, List<String>> byHome = new TreeMap<>();
        for (MigrationPage.Entry task : tasks) {
            if (task.newer()) {
                reportNewer(from, task.id());
                pass.stays(from);
                continue;
            }
            int home = sharding.homeOf(task.id());
            if (home != from) {
                byHome.computeIfAbsent(home, h -> new ArrayList<>()).add(task.id());
            }
        }
        byHome.forEach((home, ids) -> {
            for (int at = 0; at < ids.size(); ) {
                if (!mayGoOn.getAsBoolean()) {
                    pass.complete = false;
                    return;
                }
                List<String> batch =
                        List.copyOf(new LinkedHashSet<>(ids.subList(at, Math.min(at + BATCH, ids.size()))));
                at += migrateBatch(new Shard(queue, from), new Shard(queue, home), batch, pass);
            }
        });
    }

    private void reportNewer(int shard, String id) {
        if (!reportedNewer) {
            reportedNewer = true;
            log.warn(
                    "Queue '{}', shard {}: a newer version of this library wrote tasks such as '{}'; a process of that"
                            + " version has to migrate them",
                    queue,
                    shard,
                    PrintableText.line(id, 256));
        }
    }

    /** Returns how many ids were looked at. */
    private int migrateBatch(Shard from, Shard to, List<String> ids, Pass pass) {
        MigrationHold hold = StoreAnswers.await(store.migrations().hold(from, version, ids, HOLD, MAX_BYTES));
        if (hold.busy() > 0) {
            pass.stays(from.index());
        }
        if (hold.tasks().isEmpty()) {
            return hold.lookedAt();
        }
        List<String> held = hold.tasks().stream().map(MigrationHold.Item::id).toList();
        Instant before = hold.deadline().minus(HOLD.dividedBy(2));
        boolean taken;
        try {
            taken = StoreAnswers.await(store.migrations().takeIn(to, version, before, hold.token(), hold.tasks()));
        } catch (TaskStoreException ex) {
            if (!ex.mayHaveBeenApplied()) {
                giveBack(from, hold.token(), held, ex);
            }
            throw ex;
        }
        StoreAnswers.await(store.migrations().end(from, hold.token(), taken, held));
        if (taken) {
            pass.migrated += held.size();
        } else {
            pass.stays(from.index());
        }
        return hold.lookedAt();
    }

    /** Else the tasks would wait for the holds to run out. */
    private void giveBack(Shard from, long token, List<String> ids, TaskStoreException cause) {
        try {
            StoreAnswers.await(store.migrations().end(from, token, false, ids));
        } catch (TaskStoreException ex) {
            cause.addSuppressed(ex);
        }
    }

    /**
     * Lets each present shard give out higher fencing tokens than all shards did that held tasks. When no task is away
     * from its home any more, ids that are scheduled anew come to other shards than those that delivered them before,
     * and nobody asks these any more.
     */
    void carryTokens() {
        long last = raiseTokens(sharding.span(), 0);
        raiseTokens(sharding.shards(), last);
    }

    /** Returns the highest. */
    private long raiseTokens(int shards, long leastToken) {
        List<CompletableFuture<Long>> calls = IntStream.range(0, shards)
                .mapToObj(shard -> store.migrations().raiseToken(new Shard(queue, shard), leastToken))
                .toList();
        return calls.stream().mapToLong(StoreAnswers::await).max().orElse(0);
    }

    /** What one pass did. */
    static final class Pass {

        private final boolean everywhere;
        private long migrated;
        private final Set<Integer> left = new TreeSet<>();
        private boolean complete = true;

        private Pass(boolean everywhere) {
            this.everywhere = everywhere;
        }

        /** Tasks that are now where they belong. */
        long migrated() {
            return migrated;
        }

        private void stays(int shard) {
            left.add(shard);
        }

        /** Whether every shard of it was gone through to its end. */
        boolean isComplete() {
            return complete;
        }

        /** Shards with tasks that could not migrate for now. */
        Set<Integer> left() {
            return left;
        }

        /** Whether every shard was gone through, and no task was away from its home, so that none can be any more. */
        boolean isClean() {
            return everywhere && complete && migrated == 0 && left.isEmpty();
        }
    }
}
