// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.internal.concurrent.Causes;
import io.delayqueue.internal.engine.Acquirer.Acquired;
import io.delayqueue.internal.engine.PendingAcquires.Pending;
import io.delayqueue.queue.QueueSettings;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes up the answers to acquires: plans the next scan of the shard, and has the deliveries wait for workers. */
final class ScanAnswers {

    private static final Logger log = LoggerFactory.getLogger(ScanAnswers.class);

    private final QueueSettings queue;
    private final Peers peers;
    private final ReadyDeliveries ready;

    ScanAnswers(QueueSettings queue, Peers peers, ReadyDeliveries ready) {
        this.queue = queue;
        this.peers = peers;
        this.ready = ready;
    }

    /** Whatever is thrown, the shard is scanned again and every delivery is taken over or released. */
    void takeUp(Pending scan) {
        ScannedShard shard = scan.watch();
        Acquired acquired = scan.acquired();
        List<LeasedDelivery> deliveries = (acquired == null) ? List.of() : acquired.deliveries();
        shard.addLeased(deliveries.size());
        try {
            if (acquired == null) {
                failed(shard, scan.error());
            } else {
                acquired(scan, acquired);
            }
        } catch (Throwable ex) {
            shard.scanBroke(System.nanoTime());
            throw ex;
        } finally {
            ready.takeOver(deliveries, scan.isAwaited());
        }
    }

    private void acquired(Pending scan, Acquired acquired) {
        ScannedShard shard = scan.watch();
        if (shard.recovers()) {
            log.info("Queue '{}', shard {}: acquiring works again", queue.name(), shard.shard());
        }
        shard.scanned(acquired.acquisition(), System.nanoTime(), peers.own(shard.shard()), peers.signalsArrive());
        if (scan.call().isProbe()) {
            shard.wake(); // it has passed over suspects
        }
    }

    private void failed(ScannedShard shard, @Nullable Throwable error) {
        long now = System.nanoTime();
        shard.scanFailed(now);
        if (shard.isWorthAWarning(now)) {
            Throwable cause = (error == null) ? null : Causes.of(error);
            log.warn(
                    "Queue '{}', shard {}: cannot acquire tasks, goes on trying: {}",
                    queue.name(),
                    shard.shard(),
                    (cause == null) ? "no answer" : cause.getMessage());
        }
    }
}
