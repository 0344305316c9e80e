// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.queue.QueueSettingsBuilder;
import io.delayqueue.internal.queue.TriggerSettings;
import io.delayqueue.internal.sharding.Sharding;
import io.delayqueue.internal.sharding.Shardings;
import io.delayqueue.internal.store.Acquisition;
import io.delayqueue.internal.store.Shard;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The order and the times of scans, without any. */
class ShardScansDueTests {

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final EngineParts engine = new EngineParts(
            new HandMadeStore().store(),
            Shardings.fixed(queue -> Sharding.initial(3)),
            new Scheduler(),
            EngineHooks.NONE);
    private final QueueDelivery delivery = new QueueDelivery(
            QueueSettingsBuilder.of("orders")
                    .trigger(new TriggerSettings(true, 2, null, 5, Duration.ofSeconds(5), Duration.ofSeconds(5)))
                    .build(),
            CollectingDestination.acknowledging(),
            InterceptorChain.EMPTY);
    private final ScanLoop loop = new ScanLoop("orders", engine.threads(), true, Duration.ofMinutes(1), () -> {});
    private final ShardScans scans =
            new ShardScans(delivery, engine, loop, new WorkQueue(delivery, () -> false, loop), new Peers("orders"));
    private final long now = System.nanoTime();

    @AfterEach
    void close() {
        engine.threads().close();
        engine.scheduler().close();
    }

    @Test
    void dueWhenSeveralAreBeginsWithTheOneThatWaitedLongest() {
        long before = now - SECOND;
        List<ScannedShard> all = scans.due(now, false);
        assertThat(all).hasSize(3);
        for (int i = 0; i < 3; i++) {
            ScannedShard watch = all.get((i + 1) % 3);
            watch.scanBegins(before + i);
            watch.scanned(nothing(before + i, Duration.ofMillis(1)), before + i, 0, false);
        }
        assertThat(due(now)).containsExactly(1, 2, 0);
        assertThat(due(now)).as("only a scan changes the order").containsExactly(1, 2, 0);
    }

    @Test
    void dueWhenAShardIsBeingScannedLeavesItOutAndKeepsItsWake() {
        ScannedShard first = scans.due(now, false).get(0);
        first.scanBegins(now);
        first.wake();
        assertThat(due(now)).hasSize(2).doesNotContain(first.shard());
        first.scanned(nothing(now, Duration.ofHours(1)), now, 0, false);
        assertThat(due(now)).hasSize(3);
    }

    @Test
    void wakeWhenShardIsUnknownIsIgnored() {
        scanAll(Duration.ofSeconds(1));
        scans.wake(3);
        scans.wake(-1);
        assertThat(due(now)).isEmpty();
        scans.wakeAll();
        assertThat(due(now)).hasSize(3);
    }

    private void scanAll(Duration untilNext) {
        scans.wakeAll();
        for (ScannedShard watch : scans.due(now, false)) {
            watch.scanBegins(now);
            watch.scanned(nothing(now, untilNext), now, 0, false);
        }
    }

    private List<Integer> due(long at) {
        return scans.due(at, false).stream().map(ScannedShard::shard).toList();
    }

    private static Acquisition nothing(long at, Duration untilNext) {
        return new Acquisition(
                new Shard("q", 0), 0, List.of(), untilNext, 0, at, Map.of(), List.of(), false, Duration.ZERO, 0);
    }
}
