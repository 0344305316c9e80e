// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.control;

import static io.delayqueue.control.ControlScene.EVE;
import static io.delayqueue.control.ControlScene.QUEUE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.delayqueue.control.QueueRates.Minute;
import io.delayqueue.internal.store.ClusterView;
import io.delayqueue.internal.store.LatenessBuckets;
import io.delayqueue.internal.store.RateCounts;
import io.delayqueue.internal.store.RateStore;
import io.delayqueue.internal.store.ShardOwnership;
import io.delayqueue.internal.store.TaskStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What processes have counted, minute by minute, on a real Redis whose clock the tests move. */
class RatesIntegrationTests {

    private static final Duration HOUR = Duration.ofHours(1);

    private final ControlScene scene = new ControlScene(null);
    private final AtomicLong clock = new AtomicLong();
    private final TaskStore store = scene.redis.store(clock::get);
    private final RateStore rates = store.rates();
    private final QueueControl control = new QueueControl(
            scene.admin,
            scene.template,
            (caller, queue) -> scene.permissions,
            null,
            List.of(),
            ClusterView.of(store, ShardOwnership.EVERYONE));

    @AfterEach
    void close() {
        control.close();
        scene.close();
    }

    private static RateCounts counts(long delivered, Map<Integer, Long> lateness) {
        return new RateCounts(2 * delivered, delivered, 3, 4, lateness);
    }

    private Instant now() {
        return Instant.ofEpochMilli(scene.redis.serverMillis() + clock.get());
    }

    private QueueRates lately() {
        return control.rates(EVE, QUEUE, now().minus(HOUR), now().plus(HOUR));
    }

    /** The clock is put to the middle of a minute, so that none ends while a test runs. */
    private void toTheMiddleOfAMinute() {
        clock.addAndGet(Duration.ofMinutes(1).toMillis() + 30_000 - Math.floorMod(now().toEpochMilli(), 60_000));
    }

    @Test
    void ratesWhenProcessesAddInAMinuteAreTheSum() {
        toTheMiddleOfAMinute();
        rates.add(QUEUE, HOUR, counts(5, Map.of(0, 3L, 40, 2L))).join();
        Instant minute = rates.add(QUEUE, HOUR, counts(1_000_000, Map.of(40, 1L, 124, 7L)))
                .join();

        List<Minute> minutes = lately().minutes();

        assertThat(minutes)
                .containsExactly(
                        new Minute(minute, 2_000_010, 1_000_005, 6, 8, Lateness.of(Map.of(0, 3L, 40, 3L, 124, 7L))));
        assertThat(minute).isBetween(now().minusSeconds(60), now());
        assertThat(minute.toEpochMilli() % 60_000).isZero();
    }

    @Test
    void ratesWhenMinutesPassAreOneForEachInWhichAnythingWasCounted() {
        toTheMiddleOfAMinute();
        Instant first = rates.add(QUEUE, HOUR, counts(1, Map.of())).join();
        clock.addAndGet(Duration.ofMinutes(3).toMillis());
        rates.add(QUEUE, HOUR, counts(2, Map.of())).join();

        assertThat(lately().minutes())
                .extracting(Minute::minute, Minute::delivered)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple(first, 1L),
                        org.assertj.core.groups.Tuple.tuple(first.plusSeconds(180), 2L));
        assertThat(control.rates(EVE, QUEUE, first.plusMillis(1), now().plus(HOUR))
                        .minutes())
                .as("from a moment within the first")
                .hasSize(1);
        assertThat(control.rates(EVE, QUEUE, first, first.plusSeconds(180)).minutes())
                .as("before the second")
                .hasSize(1);
    }

    @Test
    void ratesWhenTheirTimeIsOverAreGone() {
        toTheMiddleOfAMinute();
        for (int minute = 0; minute < 20; minute++) {
            rates.add(QUEUE, Duration.ofMinutes(5), counts(minute + 1, Map.of()))
                    .join();
            clock.addAndGet(Duration.ofMinutes(minute % 3 == 2 ? 2 : 1).toMillis());
        }

        assertThat(scene.redis.hash("{" + QUEUE + "}:rates"))
                .as("minutes, and the last one's name")
                .hasSizeBetween(4, 6);
        assertThat(scene.redis.millisToLive("{" + QUEUE + "}:rates"))
                .isBetween(
                        Duration.ofMinutes(5).toMillis(), Duration.ofMinutes(6).toMillis());
    }

    @Test
    void ratesWhenADayHasPassedDoNotTakeAMinuteForThatOfTheDayBefore() {
        toTheMiddleOfAMinute();
        rates.add(QUEUE, RateStore.LONGEST, counts(1, Map.of())).join();
        clock.addAndGet(Duration.ofDays(1).toMillis());

        assertThat(lately().minutes()).isEmpty();
        rates.add(QUEUE, RateStore.LONGEST, counts(2, Map.of())).join();
        assertThat(lately().minutes()).extracting(Minute::delivered).containsExactly(2L);
    }

    @Test
    void ratesWhenSomethingElseWroteThereAreThoseThatCanBeRead() {
        toTheMiddleOfAMinute();
        Instant minute = rates.add(QUEUE, HOUR, counts(1, Map.of())).join();
        for (String broken : List.of("", "x", "1:5", "1:" + minute.getEpochSecond() / 60 + ":1:1:1:1:5==,")) {
            scene.redis.putHash("{" + QUEUE + "}:rates", String.valueOf(minute.getEpochSecond() / 60 % 1440), broken);

            assertThat(lately().minutes()).isEmpty();
        }
        rates.add(QUEUE, HOUR, counts(3, Map.of())).join();
    }

    @Test
    void ratesWhenTheCallerMayNotReadAreRefused() {
        scene.permissions = Set.of();

        assertThatExceptionOfType(AccessRefusedException.class).isThrownBy(this::lately);
    }

    @Test
    void ratesWhenAskedForMoreThanADayAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> control.rates(EVE, QUEUE, now().minus(Duration.ofHours(25)), now()));
        assertThatIllegalArgumentException().isThrownBy(() -> control.rates(EVE, QUEUE, now(), now().minusSeconds(1)));
    }

    @Test
    void latenessWhenAskedForAQuantileIsThatOfTheBucketInWhichItIs() {
        Lateness lateness = Lateness.of(
                Map.of(LatenessBuckets.of(Duration.ofMillis(10)), 98L, LatenessBuckets.of(Duration.ofSeconds(5)), 2L));

        assertThat(lateness.quantile(0.5)).isBetween(Duration.ofMillis(9), Duration.ofMillis(11));
        assertThat(lateness.quantile(0.98)).isBetween(Duration.ofMillis(9), Duration.ofMillis(11));
        assertThat(lateness.quantile(0.99)).isBetween(Duration.ofMillis(4550), Duration.ofMillis(5450));
        assertThat(lateness.quantile(1)).isEqualTo(lateness.quantile(0.99));
        assertThat(Lateness.NONE.quantile(0.5)).isNull();
        assertThat(lateness.plus(lateness).count()).isEqualTo(200);
    }
}
