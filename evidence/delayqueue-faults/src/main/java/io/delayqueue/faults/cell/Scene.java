// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.faults.history.HistoryWriter;
import io.delayqueue.faults.load.LoadApplication;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** What a fault has before it: servers and applications at work. For use by one thread. */
public final class Scene {

    private final Servers servers;
    private final Applications applications;
    private final DelayQueueAdmin admin;
    private final Duration length;
    private final FaultLog log;
    private final Chance chance;

    Scene(
            Servers servers,
            Applications applications,
            DelayQueueAdmin admin,
            Duration length,
            FaultLog log,
            Chance chance) {
        this.servers = servers;
        this.applications = applications;
        this.admin = admin;
        this.length = length;
        this.log = log;
        this.chance = chance;
    }

    /** Returns the servers, of the kind that the cell was given {@link Cell#on on}. */
    public <S extends Servers> S servers(Class<S> kind) {
        return kind.cast(servers);
    }

    /** Returns one Redis and one RabbitMQ, where the cell named no others. */
    public StandaloneServers servers() {
        return servers(StandaloneServers.class);
    }

    /** Returns the applications, which can be killed. */
    public Applications applications() {
        return applications;
    }

    /** Returns what an operator does to the queues. */
    public DelayQueueAdmin admin() {
        return admin;
    }

    /**
     * Changes the number of shards of both queues. A queue whose change before has not ended is turned back instead.
     */
    public void reshard(int shards) {
        for (String queue : List.of(LoadApplication.HANDLED, LoadApplication.FORWARDED)) {
            admin.reshard(queue, admin.sharding(queue).migratingFrom().orElse(shards));
        }
    }

    /** Returns how long the fault should go on. */
    public Duration length() {
        return length;
    }

    /** Returns the same for a fault of another length. */
    public Scene ofLength(Duration time) {
        return new Scene(servers, applications, admin, time, log, chance);
    }

    /** Returns what the seed of the run decides. */
    Chance chance() {
        return chance;
    }

    /**
     * Writes to the history that a fault begins, does it, and writes that it has ended. What applications see of it
     * must lie in between.
     *
     * @param name what is done, as {@code redis kill -9}
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
     * The same, for a fault that may undo what was answered, as a failover does.
     *
     * @param before how long before its begin answers may be undone
     */
    public void losing(Duration before, String name, Action fault) throws Exception {
        log.losing(before, () -> during(name, fault));
    }

    /**
     * Does something while which deliveries have to be on time, whatever it is.
     *
     * @param shards whose, each as {@code queue:number}; none of them means all
     * @param p99 how late all but a hundredth may be
     */
    public void onTime(Set<String> shards, Duration p99, Action meanwhile) throws Exception {
        long from = HistoryWriter.micros();
        meanwhile.perform();
        log.onTime(shards, from, p99);
    }

    /** Sets a clock of {@link Servers#clock()}: what was known of it is wrong until all have asked again. */
    void settingClock(Action change) throws Exception {
        log.settingClock(change);
    }

    /** Lets time pass. */
    public void pause(Duration time) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(time.toNanos());
    }

    /**
     * Does something again and again until {@link #length()} is over. At least once.
     *
     * @param pause after each time, which is up to a fifth shorter or longer as the seed wants it
     */
    public void repeat(Duration pause, Action action) throws Exception {
        long end = System.nanoTime() + length.toNanos();
        do {
            action.perform();
            pause(chance.pause(pause));
        } while (System.nanoTime() - end < 0);
    }

    /** Something that may fail. */
    @FunctionalInterface
    public interface Action {

        void perform() throws Exception;
    }
}
