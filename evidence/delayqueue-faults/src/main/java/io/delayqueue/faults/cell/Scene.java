// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.faults.history.HistoryWriter;
import io.delayqueue.faults.load.LoadApplication;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The servers and applications that a fault can act on while they work. Not thread-safe.
 *
 * @param started the servers, of the kind that {@link Cell#on} defined
 * @param applications the applications, which can be killed
 * @param admin the admin, for changes that an operator makes to queues
 * @param length the intended length of the fault
 * @param chance the random choices of the run
 */
public record Scene(
        Servers started,
        Applications applications,
        DelayQueueAdmin admin,
        Duration length,
        FaultLog log,
        Chance chance) {

    /** Returns the servers, of the kind that {@link Cell#on} defined. */
    public <S extends Servers> S servers(Class<S> kind) {
        return kind.cast(started);
    }

    /** Returns one Redis and one RabbitMQ, the default servers of a cell. */
    public StandaloneServers servers() {
        return servers(StandaloneServers.class);
    }

    /**
     * Changes the number of shards of both queues. If an earlier change of a queue is still in progress, reverts that
     * change instead.
     */
    public void reshard(int shards) {
        for (String queue : List.of(LoadApplication.HANDLED, LoadApplication.FORWARDED)) {
            admin.reshard(queue, admin.sharding(queue).migratingFrom().orElse(shards));
        }
    }

    /** Returns this scene for a fault of another length. */
    public Scene ofLength(Duration time) {
        return new Scene(started, applications, admin, time, log, chance);
    }

    /**
     * Records the beginning of a fault, injects it, and records its end. All effects on applications must occur in
     * between.
     *
     * @param name description of the fault, such as {@code redis kill -9}
     */
    public void during(String name, Action fault) throws Exception {
        log.begins(name);
        try {
            fault.perform();
        } finally {
            log.ends(name);
        }
    }

    /**
     * Like {@link #during}, for a fault that may undo confirmed changes, as a failover does.
     *
     * @param before changes that were made up to this time before the fault may be undone
     */
    public void losing(Duration before, String name, Action fault) throws Exception {
        log.losing(before, () -> during(name, fault));
    }

    /**
     * Runs an action during which deliveries must be on time.
     *
     * @param shards the shards of the deliveries, each as {@code queue:number}; empty for all
     * @param p99 maximum lateness of 99% of the deliveries
     */
    public void onTime(Set<String> shards, Duration p99, Action meanwhile) throws Exception {
        long from = HistoryWriter.micros();
        meanwhile.perform();
        log.onTime(shards, from, p99);
    }

    /**
     * Sets a clock of {@link Servers#clock()}. Processes know the new time only after they have queried the clock
     * again.
     */
    void settingClock(Action change) throws Exception {
        log.settingClock(change);
    }

    public void pause(Duration time) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(time.toNanos());
    }

    /**
     * Repeats an action until {@link #length()} has passed, at least once.
     *
     * @param pause pause after each action, which the seed makes up to a fifth shorter or longer
     */
    public void repeat(Duration pause, Action action) throws Exception {
        long end = System.nanoTime() + length.toNanos();
        do {
            action.perform();
            pause(chance.pause(pause));
        } while (System.nanoTime() - end < 0);
    }

    /** An action that may fail. */
    @FunctionalInterface
    public interface Action {

        void perform() throws Exception;
    }
}
