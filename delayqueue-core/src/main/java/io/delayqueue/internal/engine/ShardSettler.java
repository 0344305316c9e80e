// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.TaskStoreException;
import io.delayqueue.delivery.TaskDeath;
import io.delayqueue.internal.concurrent.Causes;
import io.delayqueue.internal.concurrent.DoublingBackOff;
import io.delayqueue.internal.concurrent.Guard;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.concurrent.SignalledRounds;
import io.delayqueue.internal.engine.SettlementQueue.Item;
import io.delayqueue.internal.store.LeaseRef;
import io.delayqueue.internal.store.Settlement;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.TaskStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.springframework.util.backoff.BackOff;
import org.springframework.util.backoff.BackOffExecution;

/**
 * Settles the leases of one shard, for all triggers of a process, with one call at a time: settlements that arrive during a
 * call are batched in the next one. Safe for use by many threads; never blocks.
 *
 * <p>Only rounds touch {@code waiting}, except while {@code held}: then it belongs to the current call, until its answer was
 * processed and the pause after a failure is over.
 */
final class ShardSettler {

    private static final Logger log = LoggerFactory.getLogger(ShardSettler.class);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);
    private static final BackOff BACK_OFF = DoublingBackOff.between(Duration.ofMillis(50), LONGEST_PAUSE);

    private final Shard shard;
    private final TaskStore store;
    private final ServerWatches servers;
    private final Scheduler scheduler;
    private final Deaths deaths;
    private final SettlementQueue waiting = new SettlementQueue();
    private final SignalledRounds rounds;
    private volatile boolean held;
    private BackOffExecution pauses = BACK_OFF.start();

    ShardSettler(Shard shard, EngineParts engine) {
        this.shard = shard;
        this.store = engine.store();
        this.servers = engine.servers();
        this.scheduler = engine.scheduler();
        this.deaths = engine.deaths();
        this.rounds = SignalledRounds.here("Settling of shard " + shard, engine.threads()::scan, this::sendUnlessHeld);
    }

    /**
     * Settles a lease. If the store cannot be reached, the call is sent again until the patience ends; then the task is left
     * to whoever acquires it next.
     *
     * @param done run once when the lease is settled, found stale or given up; on a thread that must not block
     * @param death reported to the application when the store has confirmed it; {@code null} if the task is not dead by that
     * @param logged whether the destination has logged why it is dead
     */
    void settle(Settlement settlement, Duration patience, Runnable done, @Nullable TaskDeath death, boolean logged) {
        offer(Item.of(settlement, System.nanoTime() + patience.toNanos(), done, death, logged));
    }

    /** Releases a lease, with the same patience; if that cannot be done, it ends by time. */
    void release(LeaseRef lease, Duration patience, Runnable done) {
        offer(Item.of(lease, System.nanoTime() + patience.toNanos(), done));
    }

    private void offer(Item item) {
        waiting.offer(item);
        rounds.signal();
    }

    /** Retries later if anything throws. */
    private void sendUnlessHeld() {
        if (held) {
            return;
        }
        held = true; // before the call, which may have its answer before it returns
        try {
            if (!sendNext()) {
                held = false;
            }
        } catch (Throwable ex) {
            Guard.tell(() -> log.error("Shard {}: settling failed; trying again", shard, ex));
            goOnAfter(LONGEST_PAUSE.toMillis());
        }
    }

    private void goOn() {
        held = false;
        rounds.signal();
    }

    /** Returns whether there was something to send. */
    private boolean sendNext() {
        ServerWatch server = servers.of(shard);
        List<Item> batch = waiting.nextBatch();
        if (batch.isEmpty()) {
            return false;
        }
        ServerWatch.Call watched = server.begin(System.nanoTime());
        send(batch).whenComplete((verdicts, error) -> {
            ServerWatches.ended(watched, error);
            if (!Guard.run(
                    log, "An answer to settlements could not be processed", () -> answered(batch, verdicts, error))) {
                goOnAfter(LONGEST_PAUSE.toMillis());
            }
        });
        return true;
    }

    /** A store that throws, or answers with the wrong number of verdicts, must not stop later calls. */
    private CompletableFuture<List<Boolean>> send(List<Item> batch) {
        return Guard.call(() -> {
            CompletableFuture<List<Boolean>> call = batch.get(0).isRelease()
                    ? store.leases()
                            .release(shard, batch.stream().map(Item::lease).toList())
                    : store.leases()
                            .settle(shard, batch.stream().map(Item::ending).toList());
            return call.thenApply(verdicts -> {
                if (verdicts.size() != batch.size()) {
                    throw new IllegalStateException(
                            batch.size() + " settlements were answered with " + verdicts.size() + " verdicts");
                }
                return verdicts;
            });
        });
    }

    private void answered(List<Item> batch, @Nullable List<Boolean> verdicts, @Nullable Throwable error) {
        if (verdicts != null) {
            pauses = BACK_OFF.start();
            batch.forEach(ShardSettler::done);
            tellOfDeaths(batch, verdicts);
            Guard.tell(() -> report(batch, verdicts));
            goOn();
            return;
        }
        long now = System.nanoTime();
        boolean mayHaveRun =
                error == null || !(Causes.of(error) instanceof TaskStoreException store) || store.mayHaveBeenApplied();
        int givenUp = 0;
        for (int i = batch.size() - 1; i >= 0; i--) {
            Item item = batch.get(i);
            boolean again = item.giveUpNanos() - now > 0
                    && Guard.run(
                            log,
                            "No room for a settlement that is to be sent again",
                            () -> waiting.putBack(mayHaveRun ? item.sent() : item));
            if (!again) {
                givenUp++;
                done(item);
            }
        }
        int lost = givenUp;
        long pauseMillis = pauses.nextBackOff();
        Guard.tell(() -> reportFailure(lost, pauseMillis, error));
        goOnAfter(pauseMillis);
    }

    private void goOnAfter(long pauseMillis) {
        try {
            scheduler.after(Duration.ofMillis(pauseMillis), this::goOn);
        } catch (RejectedExecutionException ex) {
            log.debug("Shard {}: the application has stopped before everything was settled", shard);
        } catch (Throwable ex) {
            // the next settlement also sends those that wait
            held = false;
        }
    }

    /** Runs the callback of a task; an error does not affect the others. */
    private static void done(Item item) {
        Guard.run(log, "What waits for the end of a lease failed", item.done());
    }

    /** Includes deaths that a call with a lost answer may have settled: no other process reports them. */
    private void tellOfDeaths(List<Item> batch, List<Boolean> verdicts) {
        for (int i = 0; i < batch.size(); i++) {
            TaskDeath death = batch.get(i).death();
            if (death != null && (verdicts.get(i) || batch.get(i).mayHaveRun())) {
                deaths.tell(death);
            }
        }
    }

    private void reportFailure(int givenUp, long pauseMillis, @Nullable Throwable error) {
        if (givenUp > 0) {
            log.warn(
                    "Queue '{}', shard {}: {} settlements could not be stored before their leases were long over; those"
                            + " tasks are delivered again: {}",
                    shard.queue(),
                    shard.index(),
                    givenUp,
                    String.valueOf(error));
        } else {
            log.debug("Shard {}: settling is tried again in {} ms: {}", shard, pauseMillis, String.valueOf(error));
        }
    }

    private void report(List<Item> batch, List<Boolean> verdicts) {
        int dead = 0;
        boolean allLogged = true;
        Settlement firstDead = null;
        for (int i = 0; i < batch.size(); i++) {
            Settlement settlement = batch.get(i).settlement();
            if (settlement == null) {
                continue;
            }
            if (!verdicts.get(i)) {
                boolean failed = settlement.isDeath() || settlement.countsAsFailure();
                log.atLevel(failed ? Level.WARN : Level.DEBUG)
                        .log(
                                batch.get(i).mayHaveRun()
                                        ? "Queue '{}', shard {}: task '{}' is no longer leased, by an earlier call whose"
                                                + " answer was lost or by a change of it meanwhile, so that its {} did"
                                                + " nothing more{}"
                                        : "Queue '{}', shard {}: task '{}' was scheduled, rescheduled, cancelled or leased"
                                                + " anew while it was delivered, so that its {} changed nothing{}",
                                shard.queue(),
                                shard.index(),
                                settlement.id(),
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
                            "Queue '{}', shard {}: {} task(s) are dead and {}, the first of them '{}': {}",
                            shard.queue(),
                            shard.index(),
                            dead,
                            firstDead.verb() == Settlement.Verb.DISCARD ? "deleted" : "kept",
                            firstDead.id(),
                            firstDead.reason());
        }
    }
}
