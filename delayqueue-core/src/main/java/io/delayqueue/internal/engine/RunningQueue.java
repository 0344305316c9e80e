// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.internal.concurrent.Seam;
import io.delayqueue.internal.store.ShardOwnership;
import io.delayqueue.internal.store.WakeSignals;
import io.delayqueue.queue.QueueSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A queue that this process scans, from {@link Engine#start} until it is stopped. */
public final class RunningQueue {

    private static final Logger log = LoggerFactory.getLogger(RunningQueue.class);
    private static final Duration INTERRUPT_PATIENCE = Duration.ofMillis(500);

    private final QueueSettings queue;
    private final WorkerPool workers;
    private final Poller poller;
    private final List<Runnable> atStop = new ArrayList<>();

    RunningQueue(QueueDelivery delivery, EngineParts engine, WorkerPool workers) {
        this.queue = delivery.queue();
        this.workers = workers;
        this.poller = new Poller(delivery, engine, workers);
    }

    /** Has a step run when this stops. */
    void atStop(Runnable step) {
        atStop.add(step);
    }

    void start(WakeSignals wakeSignals, ShardOwnership ownership) {
        poller.start(wakeSignals, ownership);
    }

    /** It could not be started. */
    void abandon() {
        endWatching();
        workers.interruptAllBut(Thread.currentThread());
    }

    private void endWatching() {
        atStop.forEach(step -> Seam.run(log, "What was to end with the scans of a queue goes on", step));
    }

    /**
     * Stops acquiring at once, waits for running deliveries as long as the settings say, then interrupts them; what was never
     * begun is released, and what does not end is given back. To be called once; blocks.
     *
     * @param stopper who stops; what that thread itself delivers is neither waited for nor interrupted, as it goes on only when
     *     this has ended
     * @return whether every other delivery has ended by itself
     */
    public boolean stop(Thread stopper) {
        poller.stop();
        endWatching();
        boolean idle = false;
        try {
            idle = poller.awaitIdle(stopper, queue.trigger().closeTimeout());
            if (!idle) {
                poller.interrupting(stopper);
                workers.interruptAllBut(stopper);
                idle = poller.awaitIdle(stopper, INTERRUPT_PATIENCE);
            }
            if (!idle) {
                poller.breakOff(stopper);
                poller.awaitIdle(stopper, INTERRUPT_PATIENCE);
            }
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
        workers.interruptAllBut(stopper);
        poller.close(stopper);
        return idle;
    }
}
