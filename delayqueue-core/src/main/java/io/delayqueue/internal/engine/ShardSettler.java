// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.TaskStoreException;
import io.delayqueue.delivery.TaskDeath;
import io.delayqueue.internal.concurrent.CallBatcher;
import io.delayqueue.internal.concurrent.Causes;
import io.delayqueue.internal.concurrent.DoublingBackOff;
import io.delayqueue.internal.concurrent.Guard;
import io.delayqueue.internal.input.PrintableText;
import io.delayqueue.internal.store.Settlement;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.TaskStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.springframework.util.backoff.BackOff;
import org.springframework.util.backoff.BackOffExecution;

/**
 * Settles the leases of one shard for all triggers of a process, with one call at a time. Settlements that arrive
 * during a call are sent together in the next one. If a call fails, its settlements are sent again after a pause.
 * Thread-safe; never blocks.
 */
final class ShardSettler implements CallBatcher.Calls<ShardSettler.Item> {

    private static final Logger log = LoggerFactory.getLogger(ShardSettler.class);
    /** Maximum size of the stack traces in a call with several settlements. */
    private static final int MOST_BYTES = 1024 * 1024;

    private static final BackOff BACK_OFF = DoublingBackOff.between(Duration.ofMillis(50), Duration.ofSeconds(1));

    private final Shard shard;
    private final EngineParts engine;
    private final CallBatcher<Item> batcher;
    private BackOffExecution pauses = BACK_OFF.start();

    ShardSettler(Shard shard, EngineParts engine) {
        this.shard = shard;
        this.engine = engine;
        this.batcher = new CallBatcher<>(
                "Settling of shard " + shard,
                this,
                1,
                TaskStore.MAX_BATCH,
                MOST_BYTES,
                engine.threads()::scan,
                engine.scheduler()::after);
    }

    /**
     * Settles a lease. If the store cannot be reached, repeats the call until {@code patience} has passed; then the
     * lease expires and a process acquires the task again.
     *
     * @param done run once, on a thread that must not block, when the lease is settled, turns out to be lost or is
     *     given up
     * @param death death to report to the application once the store has confirmed it; {@code null} if the task does
     *     not become dead
     * @param logged whether the destination has logged why it is dead
     */
    void settle(Settlement settlement, Duration patience, Runnable done, @Nullable TaskDeath death, boolean logged) {
        batcher.offer(new Item(settlement, System.nanoTime() + patience.toNanos(), done, death, logged, false));
    }

    @Override
    public String idOf(Item item) {
        return item.settlement().id();
    }

    @Override
    public int sizeOf(Item item) {
        return item.settlement().stackTrace().length();
    }

    @Override
    public CompletableFuture<CallBatcher.End<Item>> send(List<Item> batch) {
        ServerWatch.Call watched = engine.servers().of(shard).begin(System.nanoTime());
        return call(batch).handle((verdicts, error) -> {
            ServerWatches.ended(watched, error);
            return answered(batch, verdicts, error);
        });
    }

    /**
     * Sends a batch. If the store throws or returns a wrong number of verdicts, returns a failed future, so that later
     * calls still run.
     */
    private CompletableFuture<List<Boolean>> call(List<Item> batch) {
        List<Settlement> settlements = batch.stream().map(Item::settlement).toList();
        return Guard.call(() -> engine.store().leases().settle(shard, settlements))
                .thenApply(verdicts -> {
                    if (verdicts.size() != batch.size()) {
                        throw new IllegalStateException(
                                batch.size() + " settlements got " + verdicts.size() + " verdicts");
                    }
                    return verdicts;
                });
    }

    private CallBatcher.End<Item> answered(
            List<Item> batch, @Nullable List<Boolean> verdicts, @Nullable Throwable error) {
        if (verdicts != null) {
            pauses = BACK_OFF.start();
            batch.forEach(ShardSettler::done);
            tellOfDeaths(batch, verdicts);
            Guard.tell(() -> report(batch, verdicts));
            return new CallBatcher.End<>(List.of(), Duration.ZERO);
        }
        long now = System.nanoTime();
        boolean mayHaveRun =
                error == null || !(Causes.of(error) instanceof TaskStoreException store) || store.mayHaveBeenApplied();
        List<Item> again = new ArrayList<>(batch.size());
        for (Item item : batch) {
            boolean kept = item.giveUpNanos() - now > 0
                    && Guard.run(
                            log,
                            "A settlement could not be kept for a retry",
                            () -> again.add(mayHaveRun ? item.sent() : item));
            if (!kept) {
                done(item);
            }
        }
        long pauseMillis = pauses.nextBackOff();
        Guard.tell(() -> reportFailure(batch.size() - again.size(), pauseMillis, error));
        return new CallBatcher.End<>(again, Duration.ofMillis(pauseMillis));
    }

    /** Runs the callback of a task. An exception does not affect other tasks. */
    private static void done(Item item) {
        Guard.run(log, "A step after the end of a lease failed", item.done());
    }

    /**
     * Reports the deaths of a batch. Also reports deaths that an earlier call with a lost reply may have settled,
     * because no other process would report them.
     */
    private void tellOfDeaths(List<Item> batch, List<Boolean> verdicts) {
        for (int i = 0; i < batch.size(); i++) {
            TaskDeath death = batch.get(i).death();
            if (death != null && (verdicts.get(i) || batch.get(i).mayHaveRun())) {
                engine.deaths().tell(death);
            }
        }
    }

    private void reportFailure(int givenUp, long pauseMillis, @Nullable Throwable error) {
        if (givenUp > 0) {
            log.warn(
                    "Queue '{}', shard {}: could not store {} settlements, and their leases have "
                            + "expired; those tasks will be delivered again: {}",
                    shard.queue(),
                    shard.index(),
                    givenUp,
                    String.valueOf(error));
        } else {
            log.debug("Shard {}: retrying to settle in {} ms: {}", shard, pauseMillis, String.valueOf(error));
        }
    }

    private void report(List<Item> batch, List<Boolean> verdicts) {
        int dead = 0;
        boolean allLogged = true;
        Settlement firstDead = null;
        for (int i = 0; i < batch.size(); i++) {
            Settlement settlement = batch.get(i).settlement();
            if (!verdicts.get(i)) {
                boolean failed = settlement.isDeath() || settlement.countsAsFailure();
                log.atLevel(failed ? Level.WARN : Level.DEBUG)
                        .log(
                                batch.get(i).mayHaveRun()
                                        ? "Queue '{}', shard {}: task '{}' is no longer leased, because "
                                                + "of an earlier call whose reply was lost or a later change of "
                                                + "the task, so its {} had no further effect{}"
                                        : "Queue '{}', shard {}: task '{}' was scheduled, rescheduled, "
                                                + "cancelled or leased again during its delivery, so its {} had "
                                                + "no effect{}",
                                shard.queue(),
                                shard.index(),
                                PrintableText.line(settlement.id(), 256),
                                settlement.verb(),
                                failed ? ": " + settlement.reason() : "");
            } else if (settlement.isDeath()) {
                dead++;
                allLogged &= batch.get(i).logged();
                firstDead = (firstDead == null) ? settlement : firstDead;
            }
        }
        if (firstDead != null) {
            log.atLevel(allLogged ? Level.INFO : Level.ERROR)
                    .log(
                            "Queue '{}', shard {}: {} task(s) are dead and {}, the first one '{}': {}",
                            shard.queue(),
                            shard.index(),
                            dead,
                            firstDead.verb() == Settlement.Verb.DISCARD ? "deleted" : "kept",
                            PrintableText.line(firstDead.id(), 256),
                            firstDead.reason());
        }
    }

    /**
     * A lease whose end the store has not confirmed yet.
     *
     * @param settlement how the lease ends
     * @param giveUpNanos time to give up, by {@link System#nanoTime()}
     * @param done run when the lease is settled or given up
     * @param death death to report to the application once the store has confirmed it; null for none
     * @param logged whether the destination has logged why the task died
     * @param mayHaveRun whether an earlier call with this settlement got no reply, so that the reply to a later call
     *     does not show the effect of the earlier one
     */
    record Item(
            Settlement settlement,
            long giveUpNanos,
            Runnable done,
            @Nullable TaskDeath death,
            boolean logged,
            boolean mayHaveRun) {

        /** Returns this settlement as sent. */
        Item sent() {
            return mayHaveRun ? this : new Item(settlement, giveUpNanos, done, death, logged, true);
        }
    }
}
