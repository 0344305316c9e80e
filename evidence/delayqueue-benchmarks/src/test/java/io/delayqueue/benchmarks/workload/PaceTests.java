// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PaceTests {

    private final Map<Long, Long> planned = new ConcurrentHashMap<>();

    @Test
    void runWhenCallsAreSlowPlansEachByItsNumber() throws InterruptedException {
        Pace pace = new Pace(500, (index, at) -> {
            planned.put(index, at);
            sleep(20);
        });

        pace.run(100);

        long first = planned.get(0L);
        assertThat(planned).hasSize(100);
        IntStream.range(0, 100)
                .forEach(index -> assertThat(planned.get((long) index)).isEqualTo(first + 2L * index));
        // four threads that take 20 ms for each
        assertThat(pace.achieved()).isLessThan(220);
    }

    @Test
    void stopWhenCallsGoOnEndsThem() throws InterruptedException {
        Pace pace = new Pace(1000, planned::put);
        pace.start();
        await().until(() -> planned.size() > 50);

        pace.stop();

        int made = planned.size();
        sleep(50);
        assertThat(planned).hasSize(made);
    }

    @Test
    void runWhenACallFailsFails() {
        Pace pace = new Pace(1000, (index, at) -> {
            throw new UnsupportedOperationException("no");
        });

        assertThatIllegalStateException()
                .isThrownBy(() -> pace.run(10))
                .withCauseInstanceOf(UnsupportedOperationException.class);
    }

    private static void sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException ex) {
            throw new IllegalStateException(ex);
        }
    }
}
