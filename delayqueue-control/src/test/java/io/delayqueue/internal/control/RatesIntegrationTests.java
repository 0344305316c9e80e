// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import static io.delayqueue.internal.control.ControlScene.EVE;
import static io.delayqueue.internal.control.ControlScene.QUEUE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.tuple;

import io.delayqueue.UnknownQueueException;
import io.delayqueue.internal.control.QueueRates.Period;
import io.delayqueue.internal.store.RateStore;
import io.delayqueue.internal.store.TaskStore;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.assertj.core.api.Condition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What processes have counted per minute and per hour, on a real Redis whose clock the tests move. */
class RatesIntegrationTests {

    private static final String KEY = "{" + QUEUE + "}:rates";
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration NINETY_DAYS = Duration.ofDays(90);

    private static final Condition<String> NOT_OF_AN_HOUR =
            new Condition<>(field -> !field.startsWith("h"), "a field of a minute");

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
            store,
            List::of,
            Map::of,
            null);

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
        return control.rates(EVE, QUEUE, ChronoUnit.MINUTES, now().minus(HOUR), now().plus(HOUR));
    }

    private List<Period> hours() {
        Instant end = now().truncatedTo(ChronoUnit.HOURS).plus(HOUR);
        return control.rates(EVE, QUEUE, ChronoUnit.HOURS, end.minus(NINETY_DAYS), end)
                .periods();
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

        assertThat(lately().periods())
                .containsExactly(new Period(minute(), 1_000_005, 6, 8, Lateness.of(Map.of(0, 3L, 40, 3L, 124, 7L))));
    }

    @Test
    void ratesWhenMinutesPassAreOneForEachInWhichAnythingWasCounted() {
        toTheMiddleOfAMinute();
        Instant first = minute();
        add(1);
        clock.addAndGet(Duration.ofMinutes(3).toMillis());
        add(2);

        assertThat(lately().periods())
                .extracting(Period::from, Period::delivered)
                .containsExactly(tuple(first, 1L), tuple(first.plusSeconds(180), 2L));
        assertThat(control.rates(EVE, QUEUE, ChronoUnit.MINUTES, first.plusMillis(1), now().plus(HOUR))
                        .periods())
                .as("from a moment within the first")
                .hasSize(1);
        assertThat(control.rates(EVE, QUEUE, ChronoUnit.MINUTES, first, first.plusSeconds(180))
                        .periods())
                .as("before the second")
                .hasSize(1);
    }

    @Test
    void ratesWhenADayHasPassedDoNotTakeAMinuteForThatOfTheDayBefore() {
        toTheMiddleOfAMinute();
        add(1);
        clock.addAndGet(Duration.ofDays(1).toMillis());

        assertThat(lately().periods()).isEmpty();
        add(2);
        assertThat(lately().periods()).extracting(Period::delivered).containsExactly(2L);
        assertThat(scene.redis.hash(KEY).keySet()).as("the minute was reused").haveExactly(1, NOT_OF_AN_HOUR);
        assertThat(hours())
                .as("yesterday, at the same time")
                .extracting(Period::delivered)
                .containsExactly(1L, 2L);
        assertThat(scene.redis.millisToLive(KEY))
                .isBetween(NINETY_DAYS.minus(HOUR).toMillis(), NINETY_DAYS.toMillis());
    }

    @Test
    void ratesWhenSomethingElseWroteThereAreThoseThatCanBeRead() {
        toTheMiddleOfAMinute();
        add(1);
        long minute = minute().getEpochSecond() / 60;
        for (String broken : List.of("", "x", "1:5", "1:" + minute + ":", "1:" + minute + ":5==,")) {
            scene.redis.putHash(KEY, String.valueOf(minute % 1440), broken);

            assertThat(lately().periods()).isEmpty();
        }
        scene.redis.putHash(KEY, String.valueOf(minute % 1440), "1:" + minute + ":delivered=2,other=5,9999=7");
        add(3);
        assertThat(lately().periods()).containsExactly(new Period(minute(), 5, 3, 4, Lateness.NONE));
    }

    @Test
    void ratesWhenTheCallerMayNotReadAreRefused() {
        scene.permissions = Set.of();

        assertThatExceptionOfType(UnknownQueueException.class).isThrownBy(this::lately);
    }

    @Test
    void ratesWhenAskedForMoreThanIsKeptAreRefused() {
        for (Map.Entry<ChronoUnit, Duration> kept : Map.of(
                        ChronoUnit.MINUTES, Duration.ofDays(1), ChronoUnit.HOURS, NINETY_DAYS)
                .entrySet()) {
            ChronoUnit step = kept.getKey();
            Instant from = now();
            assertThat(control.rates(
                                    EVE,
                                    QUEUE,
                                    step,
                                    from,
                                    from.plus(kept.getValue()).plus(1, step))
                            .periods())
                    .isEmpty();
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> control.rates(
                            EVE, QUEUE, step, from, from.plus(kept.getValue()).plus(2, step)))
                    .withMessageContaining("'from'");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> control.rates(EVE, QUEUE, step, from, from.minusSeconds(1)));
        }
    }

    /** Each count is added once to the minute and to the hour, whichever process adds it. */
    @Test
    void hoursWhenProcessesAddAtOnceAreTheSumsOfTheirMinutes() {
        RateStore other = scene.redis.store(clock::get).rates();
        clock.addAndGet(Duration.ofHours(2).toMillis() - Math.floorMod(now().toEpochMilli(), HOUR.toMillis()));
        Instant hour = now().truncatedTo(ChronoUnit.HOURS);
        for (int minute = 0; minute < 3; minute++) {
            clock.addAndGet(Duration.ofMinutes(10).toMillis());
            CompletableFuture.allOf(IntStream.range(0, 40)
                            .mapToObj(i -> (i % 2 == 0 ? rates : other)
                                    .add(QUEUE, Map.of(MinuteRates.DELIVERED, 10L, MinuteRates.FAILED, 1L, "0", 5L)))
                            .toArray(CompletableFuture[]::new))
                    .join();
        }

        assertThat(lately().periods()).extracting(Period::delivered).containsExactly(400L, 400L, 400L);
        assertThat(hours()).containsExactly(new Period(hour, 1200, 120, 0, Lateness.of(Map.of(0, 600L))));
    }

    @Test
    void hoursWhenNinetyDaysHavePassedAreForgottenAndTheirFieldsReused() {
        toTheMiddleOfAMinute();
        add(1);
        clock.addAndGet(NINETY_DAYS.minus(HOUR).toMillis());
        assertThat(hours()).extracting(Period::delivered).containsExactly(1L);

        clock.addAndGet(HOUR.toMillis());
        assertThat(hours()).isEmpty();
        add(2);

        assertThat(hours()).extracting(Period::delivered).containsExactly(2L);
        assertThat(scene.redis.hash(KEY))
                .as("the fields of the same time of day")
                .hasSize(2);
    }

    /** An hour has a quarter of the buckets. */
    @Test
    void hoursWhenTheLatenessVariesHaveOneBucketForEachDoubling() {
        toTheMiddleOfAMinute();
        Map<String, Long> each = IntStream.range(0, LatenessBuckets.COUNT)
                .boxed()
                .collect(Collectors.toMap(String::valueOf, bucket -> 1L));
        add(1, each);

        Map<Integer, Long> expected =
                IntStream.range(0, 31).boxed().collect(Collectors.toMap(doubling -> 4 * doubling + 2, doubling -> 4L));
        expected.put(0, 1L);
        assertThat(hours()).extracting(Period::lateness).containsExactly(Lateness.of(expected));
        assertThat(lately().lateness().buckets()).hasSize(LatenessBuckets.COUNT);
        for (Duration late : List.of(Duration.ofNanos(1_000_001), Duration.ofMillis(2), Duration.ofMillis(1999))) {
            int bucket = LatenessBuckets.of(late);
            double hourly =
                    LatenessBuckets.middle(bucket - (bucket - 1) % 4 + 1).toNanos();
            assertThat(hourly / late.toNanos()).isBetween(0.64, 1.36);
        }
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
