// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.ConflictPolicy;
import io.delayqueue.Due;
import io.delayqueue.internal.store.Acquisition;
import io.delayqueue.internal.store.Settlement;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** On a server of 32 bits, whose C long holds no moment. */
class NarrowRedisIntegrationTests extends RedisStoreContract {

    NarrowRedisIntegrationTests() {
        super(RedisBinary.EMBEDDED_6_2_NARROW);
    }

    @Test
    void tasksWhenTheServerHas32BitsKeepTheirMoments() {
        long later = schedule(task("later", 1, Due.after(Duration.ofHours(1)), ConflictPolicy.REPLACE, "p"))
                .dueAt()
                .toEpochMilli();
        assertThat(later).isBetween(now + 60 * MINUTE, state().serverMillis() + 60 * MINUTE + 1);
        assertThat(state().index()).containsEntry("later", later);
        schedule("due", 2, now - MINUTE);

        Acquisition acquisition = acquire(10);

        assertThat(acquisition.tasks()).extracting(task -> task.id()).containsExactly("due");
        assertThat(acquisition.tasks().get(0).dueAt().toEpochMilli()).isEqualTo(now - MINUTE);
        assertThat(acquire(10).tasks()).isEmpty();
        assertThat(settle(
                        Settlement.retry("due", acquisition.token(), Duration.ofMinutes(5), true, false, "no answer")))
                .isTrue();
        assertThat(state().index().get("due")).isBetween(now + 5 * MINUTE, state().serverMillis() + 5 * MINUTE + 1);
        reschedule("due", at(now + 9 * MINUTE));
        assertThat(state().index()).containsEntry("due", now + 9 * MINUTE);
    }
}
