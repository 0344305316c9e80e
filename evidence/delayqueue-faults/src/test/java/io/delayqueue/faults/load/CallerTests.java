// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.ScheduleRequest;
import io.delayqueue.faults.history.Event.Answer;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class CallerTests {

    private static final int CALLS = 50;

    @Test
    void runWhenTheSeedIsAnotherSchedulesOtherTasks() throws InterruptedException {
        assertThat(delays(1)).isEqualTo(delays(1));
        assertThat(delays(1)).isNotEqualTo(delays(2));
    }

    /** Of the first tasks. They are due within an hour, so that none of them is changed meanwhile. */
    private static List<Long> delays(long seed) throws InterruptedException {
        Recorded calls = new Recorded();
        Thread caller = new Thread(new Caller(calls, () -> null, "caller", settings(seed), () -> false));
        caller.start();
        Awaitility.await().until(() -> calls.delays.size() >= CALLS);
        caller.interrupt();
        caller.join();
        return List.copyOf(calls.delays).subList(0, CALLS);
    }

    private static LoadSettings settings(long seed) {
        return new LoadSettings(
                Path.of("history"),
                "application",
                URI.create("redis://127.0.0.1"),
                Path.of("end"),
                seed,
                Duration.ofHours(1),
                1,
                10_000,
                2,
                1,
                1,
                Duration.ZERO,
                0,
                false,
                0,
                0,
                false,
                false);
    }

    private static final class Recorded implements TaskCalls {

        private final List<Long> delays = new CopyOnWriteArrayList<>();

        @Override
        public Answer schedule(ScheduleRequest<?> request, String version) {
            delays.add(request.due().millis());
            return Answer.OK;
        }

        @Override
        public Answer cancel(String queue, String id) {
            return Answer.OK;
        }

        @Override
        public Answer reschedule(String queue, String id, Duration delay) {
            return Answer.OK;
        }
    }
}
