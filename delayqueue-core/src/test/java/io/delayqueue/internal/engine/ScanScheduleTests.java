// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.internal.store.Acquisition;
import io.delayqueue.internal.store.Shard;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ScanScheduleTests {

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final ScanSchedule agenda = new ScanSchedule(3, Duration.ofSeconds(5));
    private final long now = System.nanoTime();

    @Test
    void dueWhenSeveralAreBeginsWithTheOneThatWaitedLongest() {
        long before = now - SECOND;
        List<ScannedShard> all = agenda.due(now, false);
        assertThat(all).hasSize(3);
        for (int i = 0; i < 3; i++) {
            ScannedShard watch = all.get((i + 1) % 3);
            watch.scanBegins(before + i);
            watch.scanned(nothing(before + i, Duration.ofMillis(1)), before + i, true, false);
        }
        assertThat(due(now)).containsExactly(1, 2, 0);
        assertThat(due(now)).as("only a scan changes the order").containsExactly(1, 2, 0);
    }

    @Test
    void dueWhenShardsAreScannedIsOnlyThoseWhoseTimeHasCome() {
        scanAll(Duration.ofSeconds(1));
        assertThat(due(now)).isEmpty();
        assertThat(agenda.nextScan(now, false, now + 9 * SECOND)).isEqualTo(now + SECOND);
        assertThat(agenda.nextScan(now, false, now + 7)).isEqualTo(now + 7);
        assertThat(due(now + SECOND)).containsExactlyInAnyOrder(0, 1, 2);
    }

    @Test
    void dueWhenAShardIsBeingScannedLeavesItOutAndKeepsItsWake() {
        ScannedShard first = agenda.due(now, false).get(0);
        first.scanBegins(now);
        first.wake();
        assertThat(due(now)).hasSize(2).doesNotContain(first.shard());
        first.scanned(nothing(now, Duration.ofHours(1)), now, true, false);
        assertThat(due(now)).hasSize(3);
    }

    @Test
    void wakeWhenShardSleepsMakesItDueUntilScanned() {
        scanAll(Duration.ofSeconds(1));
        agenda.wake(2);
        assertThat(due(now)).containsExactly(2);
        assertThat(due(now)).as("not scanned yet, as when no worker was free").containsExactly(2);
        scanAll(Duration.ofSeconds(1));
        assertThat(due(now)).isEmpty();
    }

    @Test
    void wakeWhenShardIsUnknownIsIgnored() {
        scanAll(Duration.ofSeconds(1));
        agenda.wake(3);
        agenda.wake(-1);
        assertThat(due(now)).isEmpty();
        agenda.wakeAll();
        assertThat(due(now)).hasSize(3);
    }

    @Test
    void reshardWhenThereAreMoreShardsScansTheNewOnesAtOnceAndForgetsThemAgain() {
        scanAll(Duration.ofSeconds(1));
        agenda.reshard(5);
        assertThat(due(System.nanoTime())).containsExactlyInAnyOrder(3, 4);
        agenda.reshard(2);
        assertThat(due(now + SECOND)).containsExactlyInAnyOrder(0, 1);
    }

    private void scanAll(Duration untilNext) {
        agenda.wakeAll();
        for (ScannedShard watch : agenda.due(now, false)) {
            watch.scanBegins(now);
            watch.scanned(nothing(now, untilNext), now, true, false);
        }
    }

    private List<Integer> due(long at) {
        return agenda.due(at, false).stream().map(ScannedShard::shard).toList();
    }

    private static Acquisition nothing(long at, Duration untilNext) {
        return new Acquisition(new Shard("q", 0), 0, List.of(), untilNext, 0, at, Map.of(), List.of());
    }
}
