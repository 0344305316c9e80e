// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.delayqueue.internal.console.html.View;
import io.delayqueue.internal.console.page.PastChart.Earlier;
import io.delayqueue.internal.control.Lateness;
import io.delayqueue.internal.control.QueueRates;
import io.delayqueue.internal.control.QueueRates.Period;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PastChartTests {

    private static final Instant TEN = Instant.parse("2030-05-02T10:00:00Z");
    private static final Duration DAY = Duration.ofDays(1);

    private static Period period(Instant from, long delivered, long failed, Map<Integer, Long> lateness) {
        return new Period(from, delivered, failed, 0, new Lateness(new TreeMap<>(lateness)));
    }

    /** Yesterday had 10 deliveries a minute until eleven, and then 20. */
    private static Steps yesterday(Instant begin, Duration width, int count) {
        QueueRates hours = new QueueRates(
                "orders",
                ChronoUnit.HOURS,
                List.of(
                        period(TEN.minus(DAY), 600, 60, Map.of(26, 600L)),
                        period(TEN.minus(DAY).plusSeconds(3600), 1200, 0, Map.of(0, 1200L))));
        return Steps.of(hours, begin.minus(DAY), width, count);
    }

    private static Steps today(Instant begin, Period... minutes) {
        return Steps.of(
                new QueueRates("orders", ChronoUnit.MINUTES, List.of(minutes)), begin, Duration.ofMinutes(1), 60);
    }

    private static PastChart chart(Steps past, Steps yesterday) {
        return new PastChart(past, List.of(new Earlier("yesterday", "day", yesterday)), 452.0 / 60, TEN);
    }

    @SuppressWarnings("unchecked")
    private static List<View> list(View view, String name) {
        return (List<View>) view.get(name);
    }

    private static List<Object> lines(View view, String style) {
        return list(view, "lines").stream()
                .filter(line -> style.equals(line.get("lineClass")))
                .map(line -> line.get("points"))
                .toList();
    }

    @Test
    void stepsWhenShorterThanAnHourHaveTheirShareOfTheHours() {
        Instant begin = TEN.plusSeconds(20 * 60);

        assertThat(yesterday(begin, Duration.ofMinutes(30), 3).steps())
                .extracting(step -> step.sum(Period::delivered))
                .as("30 minutes of 10; 10 of 10 and 20 of 20; 30 of 20")
                .containsExactly(300.0, 500.0, 600.0);
        assertThat(yesterday(begin, Duration.ofMinutes(6), 2).steps())
                .extracting(Steps.Step::delivered, Steps.Step::failed)
                .containsExactly(tuple(60L, 6L), tuple(60L, 6L));
        assertThat(yesterday(TEN, Duration.ofHours(3), 1).steps())
                .extracting(Steps.Step::delivered)
                .containsExactly(1800L);
    }

    @Test
    void chartWhenYesterdayIsKnownDrawsItAboveToday() {
        Instant begin = TEN.plusSeconds(30 * 60);
        Instant first = begin.plusSeconds(60);
        PastChart chart =
                chart(today(begin, period(first, 5, 2, Map.of(14, 5L))), yesterday(begin, Duration.ofMinutes(1), 60));
        assertThat(chart.most()).isEqualTo(20);

        View view = chart.view(Axis.upTo(20, 16, 216));

        List<View> columns = list(view, "pastColumns");
        assertThat(columns).hasSize(60);
        assertThat(columns.get(0)).containsEntry("words", "0 delivered, 0 failed, yesterday 10");
        assertThat(columns.get(1))
                .containsEntry("words", "5 delivered, 2 failed, yesterday 10, p50 10 ms, p99 10 ms")
                .containsEntry("from", first)
                .containsEntry("y", "166")
                .containsEntry("height", "50");
        assertThat(columns.get(59)).containsEntry("words", "0 delivered, 0 failed, yesterday 20");
        assertThat(lines(view, "l-day")).hasSize(2);
        assertThat(lines(view, "l-day").get(0).toString())
                .as("10 a minute until the middle, then 20")
                .startsWith("52,116 59.5,116 59.5,116 ")
                .contains(" 278,116 278,16 ")
                .endsWith(" 504,16");
        assertThat(list(view, "keys"))
                .extracting(key -> key.get("keyText"))
                .containsExactly("p99 10 ms", "p50 10 ms", "p99 yesterday 82 ms");
        assertThat(lines(view, "l-p99"))
                .as("a step without deliveries interrupts it")
                .hasSize(1);
    }

    @Test
    void chartWhenYesterdayHadLessThanADeliveryAStepShowsIt() {
        QueueRates hours = new QueueRates("orders", ChronoUnit.HOURS, List.of(period(TEN.minus(DAY), 12, 0, Map.of())));

        View view = chart(today(TEN), Steps.of(hours, TEN.minus(DAY), Duration.ofMinutes(1), 60))
                .view(Axis.upTo(1, 16, 216));

        assertThat(list(view, "pastColumns").get(0)).containsEntry("words", "0 delivered, 0 failed, yesterday 0.2");
        assertThat(lines(view, "l-day")).first().asString().startsWith("52,176 ");
    }
}
