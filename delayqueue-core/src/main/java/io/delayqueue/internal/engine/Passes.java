// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.internal.concurrent.Seam;
import io.delayqueue.internal.concurrent.SignalledRounds;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * When a poller looks: one pass at a time, on the engine's scanning threads, when something has happened or a moment
 * has come. What any thread wants to be done within a pass is an event, which the next pass takes up. A pass that
 * throws is logged and followed by a pause.
 */
final class Passes {

    private static final Logger log = LoggerFactory.getLogger(Passes.class);

    private final String queue;
    private final TimingWheel wheel;
    private final Duration pause;
    private final Runnable pass;
    private final SignalledRounds rounds;
    private final Queue<Runnable> events = new ConcurrentLinkedQueue<>();
    private final Waiter idle = new Waiter();
    private TimingWheel.@Nullable Alarm alarm;
    private long pauseUntil = System.nanoTime();
    private volatile boolean ending;

    /**
     * @param pause after a pass that threw
     * @param pass run once at a time
     */
    Passes(String queue, EngineThreads threads, Duration pause, Runnable pass) {
        this.queue = queue;
        this.wheel = threads.wheel();
        this.pause = pause;
        this.pass = pass;
        this.rounds =
                SignalledRounds.on("Queue '" + queue + "': scanning", threads::scan, this::passOrPause, this::passed);
    }

    /** Has a pass run soon. Any thread; does not block. */
    void signal() {
        rounds.signal();
    }

    /** Has an event taken up by a pass soon. Any thread; does not block. */
    void soon(Runnable event) {
        events.add(event);
        signal();
    }

    /** Has an event taken up by a pass at a moment, never before it. Any thread. */
    void at(long nanoTime, Runnable event) {
        wheel.at(nanoTime, () -> soon(event));
    }

    /** Has a pass run then; an earlier one that is planned already will do as well, and plan again. Only for passes. */
    void comeBackAt(long nanoTime) {
        TimingWheel.Alarm current = alarm;
        if (current != null && current.nanoTime() - System.nanoTime() > 0) {
            if (current.nanoTime() - nanoTime <= 0) {
                return;
            }
            current.cancel();
        }
        alarm = wheel.at(nanoTime, this::signal);
    }

    /** Only for passes. */
    void takeUpEvents() {
        for (Runnable event = events.poll(); event != null; event = events.poll()) {
            Seam.run(log, "An event could not be taken up", event);
        }
    }

    /** Whether nothing is to be begun now, as an earlier pass threw; another one comes when the pause is over. */
    boolean arePausing(long now) {
        if (pauseUntil - now <= 0) {
            return false;
        }
        comeBackAt(pauseUntil);
        return true;
    }

    /** Nothing more is to be begun; what was begun is still taken up. Any thread. */
    void end() {
        ending = true;
        signal();
    }

    boolean areEnding() {
        return ending;
    }

    /**
     * Waits until no pass runs or is about to, and nothing else is under way either. Call after {@link #end}.
     *
     * @param elsewhere whether nothing else is; every end of something is followed by a signal
     */
    boolean awaitIdle(BooleanSupplier elsewhere, Duration timeout) throws InterruptedException {
        return idle.awaitUntil(() -> rounds.isIdle() && elsewhere.getAsBoolean(), timeout.toNanos());
    }

    private void passOrPause() {
        try {
            pass.run();
        } catch (Throwable ex) {
            Seam.tell(() ->
                    log.error("Queue '{}': scanning failed and goes on after the longest idle interval", queue, ex));
            pauseUntil = System.nanoTime() + pause.toNanos();
            if (!Seam.run(log, "The next scan could not be planned and comes at once", () -> comeBackAt(pauseUntil))) {
                signal();
            }
        }
    }

    private void passed() {
        if (ending) {
            idle.signal();
        }
    }
}
