// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.sharding;

import io.delayqueue.TaskStoreException;
import io.delayqueue.internal.calls.StoreAnswers;
import io.delayqueue.internal.concurrent.Throttle;
import io.delayqueue.internal.input.PrintableText;
import io.delayqueue.internal.store.KeyLimitsChange;
import io.delayqueue.internal.store.KeyLimitsPage;
import io.delayqueue.internal.store.MigrationHold;
import io.delayqueue.internal.store.MigrationPage;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.ShardingVersion;
import io.delayqueue.internal.store.StoredKeyLimits;
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
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Migrates tasks of a queue to the shards of its sharding. A migrating task is held in its source shard, added to the
 * target shard, and then deleted from the source. Calls for the task wait until the hold ends. If the process dies, its
 * holds expire. The target accepts a task only during the first half of the hold, so that a task cannot appear there
 * after the source has released it. This requires that the clocks of the servers differ by less than half of a hold.
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
    /** The shards to process: all, or those with tasks that could not migrate in the previous pass. */
    private List<Integer> where;

    private boolean reportedNewer;
    private final Throttle clockWarnings = new Throttle(Duration.ofMinutes(10));

    /** @param mayGoOn returns whether to continue; checked before each step */
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
     * Processes each shard once, on the calling thread. If tasks could not migrate, the next pass processes only their
     * shards.
     *
     * @throws io.delayqueue.internal.calls.ShardingChangedException if the sharding is outdated
     * @throws TaskStoreException if Redis did not answer
     */
    Pass pass() {
        Pass pass = new Pass(where == everywhere);
        copyLimits(pass);
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

    /** Copies run-time limits to the new shards of their keys before the tasks arrive there. */
    private void copyLimits(Pass pass) {
        boolean isComplete = forEachKeyElsewhere((from, field) -> pass.copiedLimits |= copy(from, field));
        pass.complete &= isComplete;
    }

    /** Removes the originals of the copied limits when no tasks of their keys are left. */
    void removeCopiedLimits() {
        forEachKeyElsewhere((from, field) -> {
            // A handler may have closed the key since the last pass.
            if (field.isClosure()) {
                copy(from, field);
            }
            change(from, field.idPrefix(), KeyLimitsChange.replacing(field, ""));
        });
    }

    /** Copies a field to its new shard. Returns whether the new shard did not have it. */
    private boolean copy(Shard from, KeyLimitsPage.Field field) {
        Shard to = new Shard(queue, sharding.homeOf(field.idPrefix()));
        if (!change(to, field.idPrefix(), KeyLimitsChange.copying(field)).changed()) {
            return false;
        }
        // A call may have changed the field in both shards after it was read.
        String current = field.valueIn(change(from, field.idPrefix(), KeyLimitsChange.READ));
        if (!current.equals(field.value())) {
            change(to, field.idPrefix(), KeyLimitsChange.replacing(field, current));
        }
        return true;
    }

    private StoredKeyLimits change(Shard shard, String idPrefix, KeyLimitsChange change) {
        return StoreAnswers.await(store.shards().keyLimits(shard, version, idPrefix, change));
    }

    /** Runs an action for each field that is not in its shard. Returns whether all shards were read. */
    private boolean forEachKeyElsewhere(BiConsumer<Shard, KeyLimitsPage.Field> action) {
        for (int shard : everywhere) {
            Shard from = new Shard(queue, shard);
            String cursor = MigrationPage.START;
            do {
                if (!mayGoOn.getAsBoolean()) {
                    return false;
                }
                KeyLimitsPage page =
                        StoreAnswers.await(store.migrations().keyLimits(from, version, cursor, MOST_LOOKED_AT));
                page.fields().stream()
                        .filter(field -> sharding.homeOf(field.idPrefix()) != shard)
                        .forEach(field -> action.accept(from, field));
                cursor = page.cursor();
            } while (!cursor.equals(MigrationPage.START));
        }
        return true;
    }

    /** Returns how many ids to read next: fewer if payloads are large, because the store reads whole payloads. */
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
                    "Queue '{}', shard {}: a newer version of this library wrote tasks such as '{}'; "
                            + "only a process that runs that version can migrate them",
                    queue,
                    shard,
                    PrintableText.line(id, 256));
        }
    }

    private int migrateBatch(Shard from, Shard to, List<String> ids, Pass pass) {
        long beganNanos = System.nanoTime();
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
        warnOfClocks(from, to, taken, System.nanoTime() - beganNanos);
        StoreAnswers.await(store.migrations().end(from, hold.token(), taken, held));
        if (taken) {
            pass.migrated += held.size();
        } else {
            pass.stays(from.index());
        }
        return hold.lookedAt();
    }

    /** A target that refuses tasks although they came in time has another clock than the source. */
    private void warnOfClocks(Shard from, Shard to, boolean taken, long tookNanos) {
        long apart = HOLD.toMillis() / 2 - TimeUnit.NANOSECONDS.toMillis(tookNanos) - 1;
        if (!taken && apart > 0 && clockWarnings.passes()) {
            log.warn(
                    "Queue '{}', shard {}: cannot take in tasks of shard {}, because the clock of its Redis server is "
                            + "at least {} ms ahead; synchronize the clocks, otherwise the migration does not end",
                    queue,
                    to.index(),
                    from.index(),
                    apart);
        }
    }

    /** Ends the holds of tasks that stay. Otherwise the tasks would be blocked until the holds expire. */
    private void giveBack(Shard from, long token, List<String> ids, TaskStoreException cause) {
        try {
            StoreAnswers.await(store.migrations().end(from, token, false, ids));
        } catch (TaskStoreException ex) {
            cause.addSuppressed(ex);
        }
    }

    /**
     * Raises the fencing tokens of each present shard above those of all shards that held tasks. After the migration, a
     * task that is scheduled again may be in another shard than before, and its earlier shards are no longer called.
     */
    void carryTokens() {
        long last = raiseTokens(sharding.span(), 0);
        raiseTokens(sharding.shards(), last);
    }

    private long raiseTokens(int shards, long leastToken) {
        List<CompletableFuture<Long>> calls = IntStream.range(0, shards)
                .mapToObj(shard -> store.migrations().raiseToken(new Shard(queue, shard), leastToken))
                .toList();
        return calls.stream().mapToLong(StoreAnswers::await).max().orElse(0);
    }

    /** The result of one pass. */
    static final class Pass {

        private final boolean everywhere;
        private long migrated;
        private final Set<Integer> left = new TreeSet<>();
        private boolean complete = true;
        private boolean copiedLimits;

        private Pass(boolean everywhere) {
            this.everywhere = everywhere;
        }

        long migrated() {
            return migrated;
        }

        private void stays(int shard) {
            left.add(shard);
        }

        /** Returns whether every shard was processed to its end. */
        boolean isComplete() {
            return complete;
        }

        /** Returns the shards with tasks that could not migrate yet. */
        Set<Integer> left() {
            return left;
        }

        /** Returns whether every shard was processed and all tasks and limits are in their shards. */
        boolean isClean() {
            return everywhere && complete && migrated == 0 && left.isEmpty() && !copiedLimits;
        }
    }
}
