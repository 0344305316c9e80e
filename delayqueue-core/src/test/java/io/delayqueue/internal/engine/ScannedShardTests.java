// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.internal.store.AcquiredTask;
import io.delayqueue.internal.store.Acquisition;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.WakeSignals;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ScannedShardTests {

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final int OWNED = 0;
    private static final int NEXT = 1;
    private static final boolean SIGNALS = true;

    private long now = System.nanoTime();
    private final ScannedShard watch = new ScannedShard(0, Duration.ofSeconds(5), now, 0);

    @Test
    void scannedWhenAnotherOwnsTheShardComesBackAtTheMaxIdleInterval() {
        scan(false, Duration.ofMillis(1234), NEXT, SIGNALS);
        assertThat(millisUntilNext()).isEqualTo(5000);
        scan(true, Duration.ofMillis(3), NEXT, SIGNALS);
        assertThat(millisUntilNext()).isEqualTo(5000);
    }

    @Test
    void scannedWhenAnotherOwnsTheShardButMoreIsDueGoesOn() {
        scan(true, Duration.ZERO, NEXT, SIGNALS);
        assertThat(watch.isDue(now, SIGNALS)).isTrue();
    }

    @Test
    void scannedWhenAnotherOwnsTheShardAndIsLateStandsInForAWhile() {
        scanFindingLate(Duration.ofMillis(1000), Duration.ofMillis(200));
        assertThat(millisUntilNext()).as("the owner may have been slow").isEqualTo(5000);
        assertThat(watch.standsIn(now)).isFalse();

        scanFindingLate(Duration.ofMillis(1001), Duration.ofMillis(200));
        assertThat(watch.standsIn(now)).isTrue();
        for (int i = 0; i < 300; i++) {
            assertThat(millisUntilNext()).isEqualTo(200);
            later(200);
            scan(true, Duration.ofMillis(200), NEXT, SIGNALS);
        }
        assertThat(watch.standsIn(now)).as("after a minute").isFalse();
        assertThat(millisUntilNext()).isEqualTo(5000);
    }

    @Test
    void scannedWhenOtherProcessesPrecedeThisOneStandsInOnlyIfNoneOfThemDoes() {
        Duration late = Duration.ofSeconds(3);
        scanFindingLate(late, Duration.ofMillis(200), 3);
        scanFindingLate(late, Duration.ofMillis(200), 3);
        assertThat(watch.standsIn(now)).isFalse();
        scan(true, Duration.ofMillis(200), 3, SIGNALS);
        scanFindingLate(late, Duration.ofMillis(200), 3);
        scanFindingLate(late, Duration.ofMillis(200), 3);
        assertThat(watch.standsIn(now)).as("another one stood in between").isFalse();
        scanFindingLate(late, Duration.ofMillis(200), 3);
        assertThat(watch.standsIn(now)).isTrue();
        assertThat(millisUntilNext()).isEqualTo(200);

        scanFindingLate(late, Duration.ofMillis(200), WakeSignals.Registration.NEVER);
        assertThat(millisUntilNext()).as("it leaves its shards to others now").isEqualTo(5000);
    }

    @Test
    void scannedWhenItBeginsToStandInScansAgainForASignalThatItHasLeftToTheOwner() {
        watch.scanBegins(now);
        watch.hear();
        AcquiredTask task = new AcquiredTask("a", "key", Instant.EPOCH, 0, 0, null);
        watch.scanned(acquisition(List.of(task), Duration.ofSeconds(60), Duration.ofSeconds(3)), now, NEXT, SIGNALS);

        assertThat(millisUntilNext()).isZero();
        scan(false, Duration.ofSeconds(60), NEXT, SIGNALS);
        assertThat(millisUntilNext()).as("once").isPositive();
    }

    @Test
    void scannedWhenATaskIsDueLaterIsScannedSoThatTheCallIsThereByThen() {
        long sent = now - TimeUnit.MILLISECONDS.toNanos(3);
        watch.scanBegins(now);
        watch.scanned(
                new Acquisition(
                        new Shard("q", 0),
                        0,
                        List.of(),
                        Duration.ofMillis(10),
                        0,
                        sent,
                        Map.of(),
                        List.of(),
                        false,
                        Duration.ZERO,
                        0),
                now,
                OWNED,
                SIGNALS);
        assertThat(millisUntilNext()).isEqualTo(7);
    }

    @Test
    void scannedWhenNothingHappensStretchesTheMaxIdleIntervalOnlyWhereSignalsArrive() {
        scan(false, null, OWNED, !SIGNALS);
        assertThat(millisUntilNext()).isEqualTo(5000);
        for (int i = 0; i < 3; i++) {
            later(millisUntilNext());
            scan(false, null, OWNED, SIGNALS);
            assertThat(millisUntilNext()).isEqualTo(60_000);
        }
        later(millisUntilNext());
        scan(false, null, OWNED, !SIGNALS);
        assertThat(millisUntilNext()).isEqualTo(5000);
    }

    @Test
    void scannedWhenNothingHappensStretchesLessWhereOthersStretchMore() {
        ScannedShard ahead = new ScannedShard(0, Duration.ofSeconds(5), now, 1);
        ahead.scanBegins(now);
        ahead.scanned(acquisition(List.of(), null), now, OWNED, SIGNALS);
        assertThat(Duration.ofNanos(ahead.nextScan(now, SIGNALS) - now)).isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    void scannedWhenSomethingWasMissedDoesNotStretchForAWhile() {
        scan(false, null, OWNED, SIGNALS);
        later(millisUntilNext());
        scan(false, Duration.ofHours(1), OWNED, SIGNALS);
        assertThat(millisUntilNext()).as("no signal had told of it").isEqualTo(5000);
        for (int i = 1; i < ScannedShard.LONGEST_STRETCH * ScannedShard.LONGEST_STRETCH; i++) {
            later(millisUntilNext());
            scan(false, Duration.ofHours(1), OWNED, SIGNALS);
            assertThat(millisUntilNext()).isEqualTo(5000);
        }
        later(millisUntilNext());
        scan(false, Duration.ofHours(1), OWNED, SIGNALS);
        assertThat(millisUntilNext()).isEqualTo(60_000);
    }

    @Test
    void scannedWhenWhatWasFoundHadBeenAnnouncedGoesOnStretching() {
        scan(false, null, OWNED, SIGNALS);
        later(1000);
        watch.wake();
        assertThat(watch.isDue(now, SIGNALS)).isTrue();
        scan(false, Duration.ofHours(1), OWNED, SIGNALS);
        assertThat(millisUntilNext()).isEqualTo(60_000);
    }

    @Test
    void hearWhenAnotherOwnsTheShardEndsTheStretchButScansNotBeforeTheMaxIdleInterval() {
        scan(false, null, NEXT, SIGNALS);
        later(millisUntilNext());
        scan(false, null, NEXT, SIGNALS);
        assertThat(millisUntilNext()).isEqualTo(60_000);
        later(2000);
        watch.hear();
        assertThat(watch.isDue(now, SIGNALS)).isFalse();
        assertThat(millisUntilNext()).isEqualTo(3000);
        later(9000);
        assertThat(watch.isDue(now, SIGNALS)).isTrue();
        scan(true, Duration.ofMinutes(2), NEXT, SIGNALS);
        assertThat(millisUntilNext())
                .as("there are tasks, and the owner may die")
                .isEqualTo(5000);
    }

    @Test
    void nextScanWhenSignalsNoLongerArriveEndsTheStretchAtOnce() {
        scan(false, null, OWNED, SIGNALS);
        assertThat(millisUntilNext()).isEqualTo(60_000);
        assertThat(watch.nextScan(now, !SIGNALS) - now).isEqualTo(5 * SECOND);
        later(5000);
        assertThat(watch.isDue(now, SIGNALS)).isFalse();
        assertThat(watch.isDue(now, !SIGNALS)).isTrue();
    }

    @Test
    void scanFailedWhenFailuresFollowEachOtherDoublesThePauseUpToTheMaxIdleInterval() {
        for (long pause : new long[] {50, 100, 200, 400, 800, 1600, 3200, 5000, 5000}) {
            fail();
            assertThat(millisUntilNext()).isEqualTo(pause);
            later(pause);
        }
    }

    @Test
    void scanFailedWhenTheNextScanFindsSomethingInItsTimeHasMissedNothing() {
        scan(false, null, OWNED, SIGNALS);
        later(millisUntilNext());
        fail();
        later(50);
        scan(true, null, OWNED, SIGNALS);
        later(5000);
        scan(false, null, OWNED, SIGNALS);
        assertThat(millisUntilNext()).as("signals are trusted").isEqualTo(60_000);
    }

    @Test
    void scanBrokeWhenFailuresCameBeforeComesBackAtTheMaxIdleInterval() {
        fail();
        later(50);
        watch.scanBegins(now);
        watch.scanBroke(now);
        assertThat(watch.isScanning()).isFalse();
        assertThat(watch.hasFailed()).as("whether it failed is not known anew").isTrue();
        assertThat(millisUntilNext()).isEqualTo(5000);
    }

    @Test
    void isWorthAWarningWhenFailuresFollowEachOtherIsTrueForTheFirstAndOnceIn30Seconds() {
        fail();
        assertThat(watch.isWorthAWarning(now)).isTrue();
        later(29_999);
        fail();
        assertThat(watch.isWorthAWarning(now)).isFalse();
        later(1);
        fail();
        assertThat(watch.isWorthAWarning(now)).isTrue();
        later(29_999);
        fail();
        assertThat(watch.isWorthAWarning(now)).isFalse();
    }

    @Test
    void recoversWhenThereWereFailuresSaysSoAndStartsAnew() {
        assertThat(watch.recovers()).isFalse();
        fail();
        assertThat(watch.isWorthAWarning(now)).isTrue();
        later(50);
        fail();
        assertThat(watch.hasFailed()).isTrue();

        assertThat(watch.recovers()).isTrue();
        assertThat(watch.hasFailed()).isFalse();
        assertThat(watch.recovers()).isFalse();
        later(100);
        fail();
        assertThat(millisUntilNext()).isEqualTo(50);
        assertThat(watch.isWorthAWarning(now)).as("the first in this row").isTrue();
    }

    private void fail() {
        watch.scanBegins(now);
        assertThat(watch.isScanning()).isTrue();
        watch.scanFailed(now);
        assertThat(watch.isScanning()).isFalse();
    }

    private void scan(boolean finds, @Nullable Duration untilNext, int place, boolean signals) {
        watch.scanBegins(now);
        AcquiredTask task = new AcquiredTask("a", "key", Instant.EPOCH, 0, 0, null);
        watch.scanned(acquisition(finds ? List.of(task) : List.of(), untilNext), now, place, signals);
    }

    private void scanFindingLate(Duration late, Duration untilNext) {
        scanFindingLate(late, untilNext, NEXT);
    }

    private void scanFindingLate(Duration late, Duration untilNext, int place) {
        watch.scanBegins(now);
        AcquiredTask task = new AcquiredTask("a", "key", Instant.EPOCH, 0, 0, null);
        watch.scanned(acquisition(List.of(task), untilNext, late), now, place, SIGNALS);
    }

    private Acquisition acquisition(List<AcquiredTask> tasks, @Nullable Duration untilNext) {
        return acquisition(tasks, untilNext, Duration.ZERO);
    }

    private Acquisition acquisition(List<AcquiredTask> tasks, @Nullable Duration untilNext, Duration late) {
        return new Acquisition(new Shard("q", 0), 1, tasks, untilNext, 0, now, Map.of(), List.of(), false, late, 0);
    }

    private void later(long millis) {
        now += TimeUnit.MILLISECONDS.toNanos(millis);
    }

    private long millisUntilNext() {
        return TimeUnit.NANOSECONDS.toMillis(watch.nextScan(now, SIGNALS) - now);
    }
}
