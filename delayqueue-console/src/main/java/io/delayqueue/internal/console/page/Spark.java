// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import io.delayqueue.internal.console.html.View;
import io.delayqueue.internal.control.QueueRates;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/** A small chart of an hour in twenty stacked bars with two parts each. */
final class Spark {

    private static final int BARS = 20;
    private static final int HEIGHT = 24;
    private static final double STEP = 4.2;

    private final long[] lower = new long[BARS];
    private final long[] upper = new long[BARS];

    private Spark() {}

    /** Returns the delivered and the failed attempts of an hour. */
    static Spark of(QueueRates hour, Instant begin) {
        Spark spark = new Spark();
        for (QueueRates.Minute minute : hour.minutes()) {
            int bar = bar((int) Duration.between(begin, minute.minute()).toMinutes());
            spark.lower[bar] += minute.delivered();
            spark.upper[bar] += minute.failed() + minute.dead();
        }
        return spark;
    }

    static Spark of(List<Long> minutes) {
        Spark spark = new Spark();
        for (int i = 0; i < minutes.size(); i++) {
            spark.lower[bar(i)] += minutes.get(i);
        }
        return spark;
    }

    static Spark ofParts(List<Long> parts) {
        Spark spark = new Spark();
        for (int i = 0; i < Math.min(BARS, parts.size()); i++) {
            spark.lower[i] = parts.get(i);
        }
        return spark;
    }

    private static int bar(int minute) {
        return Math.max(0, Math.min(BARS - 1, minute * BARS / 60));
    }

    List<View> bars() {
        long most = Math.max(
                1,
                LongStream.range(0, BARS)
                        .map(i -> lower[(int) i] + upper[(int) i])
                        .max()
                        .orElse(1));
        List<View> bars = new ArrayList<>();
        for (int i = 0; i < BARS; i++) {
            if (lower[i] + upper[i] > 0) {
                int low = height(lower[i], most);
                int up = height(upper[i], most);
                bars.add(View.of("x", Math.round(i * STEP * 10) / 10.0)
                        .with("y", HEIGHT - low)
                        .with("h", low)
                        .with("y2", Math.max(0, HEIGHT - low - up))
                        .with("h2", up));
            }
        }
        return bars;
    }

    private static int height(long count, long most) {
        return count == 0 ? 0 : Math.max(1, (int) Math.round((double) count / most * HEIGHT));
    }
}
