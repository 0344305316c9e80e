// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import static io.delayqueue.internal.control.ControlScene.EVE;
import static io.delayqueue.internal.control.ControlScene.QUEUE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.tuple;

import io.delayqueue.UnknownQueueException;
import io.delayqueue.internal.control.QueueRates.Minute;
import io.delayqueue.internal.store.RateStore;
import io.delayqueue.internal.store.TaskStore;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What processes have counted, minute by minute, on a real Redis whose clock the tests move. */
class RatesIntegrationTests {

    private static final String KEY = "{" + QUEUE + "}:rates";
    private static final Duration HOUR = Duration.ofHours(1);

    private final ControlScene scene = new ControlScene(null);
    private final AtomicLong clock = new AtomicLong();
    private final TaskStore store = scene.redis.store(clock::get);
    private final RateStore rates = store.rates();
    private final QueueControl control = new QueueControl(
            scene.admin, scene.template, (caller, queue) -> scene.permissions, null, List.of(), store, Map::of, null);

    @AfterEach
    void close() {
        control.close();
        scene.close();
    }

    private void add(long delivered) {
        add(delivered, Map.of());
    }

    private void add(long delivered, Map<String, Long> lateness) {
        Map<String, Long> counts = new HashMap<>(lateness);
        counts.putAll(Map.of(MinuteRates.DELIVERED, delivered, MinuteRates.FAILED, 3L, MinuteRates.DEAD, 4L));
        rates.add(QUEUE, counts).join();
    }

    private Instant minute() {
        return now().truncatedTo(ChronoUnit.MINUTES);
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
        add(5, Map.of("0", 3L, "40", 2L));
        add(1_000_000, Map.of("40", 1L, "124", 7L));

        assertThat(lately().minutes())
                .containsExactly(new Minute(minute(), 1_000_005, 6, 8, Lateness.of(Map.of(0, 3L, 40, 3L, 124, 7L))));
    }

    @Test
    void ratesWhenMinutesPassAreOneForEachInWhichAnythingWasCounted() {
        toTheMiddleOfAMinute();
        Instant first = minute();
        add(1);
        clock.addAndGet(Duration.ofMinutes(3).toMillis());
        add(2);

        assertThat(lately().minutes())
                .extracting(Minute::minute, Minute::delivered)
                .containsExactly(tuple(first, 1L), tuple(first.plusSeconds(180), 2L));
        assertThat(control.rates(EVE, QUEUE, first.plusMillis(1), now().plus(HOUR))
                        .minutes())
                .as("from a moment within the first")
                .hasSize(1);
        assertThat(control.rates(EVE, QUEUE, first, first.plusSeconds(180)).minutes())
                .as("before the second")
                .hasSize(1);
    }

    @Test
    void ratesWhenADayHasPassedDoNotTakeAMinuteForThatOfTheDayBefore() {
        toTheMiddleOfAMinute();
        add(1);
        clock.addAndGet(Duration.ofDays(1).toMillis());

        assertThat(lately().minutes()).isEmpty();
        add(2);
        assertThat(lately().minutes()).extracting(Minute::delivered).containsExactly(2L);
        assertThat(scene.redis.hash(KEY)).hasSize(1);
        assertThat(scene.redis.millisToLive(KEY))
                .isBetween(Duration.ofHours(23).toMillis(), Duration.ofHours(24).toMillis());
    }

    @Test
    void ratesWhenSomethingElseWroteThereAreThoseThatCanBeRead() {
        toTheMiddleOfAMinute();
        add(1);
        long minute = minute().getEpochSecond() / 60;
        for (String broken : List.of("", "x", "1:5", "1:" + minute + ":", "1:" + minute + ":5==,")) {
            scene.redis.putHash(KEY, String.valueOf(minute % 1440), broken);

            assertThat(lately().minutes()).isEmpty();
        }
        scene.redis.putHash(KEY, String.valueOf(minute % 1440), "1:" + minute + ":delivered=2,other=5,9999=7");
        add(3);
        assertThat(lately().minutes()).containsExactly(new Minute(minute(), 5, 3, 4, Lateness.NONE));
    }

    @Test
    void ratesWhenTheCallerMayNotReadAreRefused() {
        scene.permissions = Set.of();

        assertThatExceptionOfType(UnknownQueueException.class).isThrownBy(this::lately);
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
