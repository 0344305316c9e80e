// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.delayqueue.TaskStoreCorruptException;
import io.delayqueue.internal.redis.StoreFixture;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PacedDueTimesIntegrationTests {

    private static final String QUEUE = "orders";
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final String KEY = "{orders}:pace";

    private final StoreFixture redis = new StoreFixture();
    /** Ahead of the server. */
    private final AtomicLong clock = new AtomicLong();

    private final PacedDueTimes dueTimes = new PacedDueTimes(redis.store(clock::get));

    @AfterEach
    void close() {
        redis.close();
    }

    private Instant now() {
        return Instant.ofEpochMilli(redis.serverMillis() + clock.get());
    }

    @Test
    void reserveWhenSeveralAreDueInAMillisecondKeepsThePace() {
        List<Instant> due = dueTimes.reserve(QUEUE, 9_001, 3_000);

        assertThat(due).isSorted();
        for (int i = 0; i + 3_000 < due.size(); i++) {
            assertThat(Duration.between(due.get(i), due.get(i + 3_000))).isBetween(SECOND, SECOND.plusMillis(3));
        }
    }

    @Test
    void reserveWhenTheLastCallIsLongOverBeginsNow() {
        dueTimes.reserve(QUEUE, 10, 1);
        clock.addAndGet(Duration.ofHours(1).toMillis());

        assertThat(dueTimes.reserve(QUEUE, 1, 1).get(0)).isBetween(now().minusSeconds(10), now().plusMillis(1));
    }

    @Test
    void reserveWhenTheLastCallReachesFarQueuesUpBehindIt() {
        Instant far = now().plus(Duration.ofDays(300));
        redis.put(KEY, "1:" + far.toEpochMilli() * 1000);

        assertThat(dueTimes.reserve(QUEUE, 1, 1)).containsExactly(far);
    }

    /** 99999999999999999 is in the year 5138. */
    @ParameterizedTest
    @ValueSource(
            strings = {"99999999999999999", "x", "-1", "nan", "inf", "1e300", "9999999999999999999999", "\r\n", ""})
    void reserveWhenTheRecordIsForeignBeginsNow(String foreign) {
        redis.put(KEY, "1:" + foreign);

        assertThat(dueTimes.reserve(QUEUE, 1, 1).get(0)).isBetween(now().minusSeconds(10), now().plusMillis(1));
    }

    @Test
    void reserveWhenTheKeyHasAnotherTypeIsRefusedAndLeavesIt() {
        redis.putHash(KEY, "foreign", "x");

        assertThatExceptionOfType(TaskStoreCorruptException.class).isThrownBy(() -> dueTimes.reserve(QUEUE, 1, 1));

        assertThat(redis.hash(KEY)).containsEntry("foreign", "x");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 1_000_001})
    void reserveWhenThePaceIsNoneIsRefused(int perSecond) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> dueTimes.reserve(QUEUE, 1, perSecond))
                .withMessageContaining("perSecond is " + perSecond);
    }
}
