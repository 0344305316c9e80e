// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.TaskStoreException;
import io.delayqueue.TaskStoreTimeoutException;
import io.delayqueue.TaskStoreUnavailableException;
import io.delayqueue.internal.queue.Rate;
import io.delayqueue.internal.store.Acquires;
import io.delayqueue.internal.store.Acquisition;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.trigger.TriggerFixture;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The tokens of acquires that fail. */
class QueueRateTokensIntegrationTests {

    private static final Shard SHARD = new Shard("rated", 0);

    private final TriggerFixture fixture = new TriggerFixture();
    private final QueueRate rate =
            new QueueRate("rated", fixture.redis.store().shards(), new Rate(1, Duration.ofHours(1)));

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void acquireWhenRedisDidNotGetItGivesItsTokensBack() {
        assertThat(isGranted(new TaskStoreUnavailableException("away", false, null)))
                .isTrue();
        assertThat(isGranted(new TaskStoreUnavailableException("away", false, null)))
                .isTrue();
    }

    @Test
    void acquireWhenItsAnswerIsLostKeepsItsTokens() {
        assertThat(isGranted(new TaskStoreTimeoutException("lost", true, null))).isTrue();
        assertThat(isGranted(new TaskStoreTimeoutException("lost", true, null))).isFalse();
    }

    /** Returns whether there was a token for an acquire that then fails. */
    private boolean isGranted(TaskStoreException failure) {
        try {
            Acquisition none = rate.acquire(
                            SHARD,
                            Acquires.of(1, Duration.ofSeconds(5), 3, 1000, 1),
                            granted -> CompletableFuture.failedFuture(failure))
                    .join();
            assertThat(none.tasks()).isEmpty();
            assertThat(none.untilNext()).isBetween(Duration.ofMillis(1), Duration.ofMillis(250));
            return false;
        } catch (CompletionException ex) {
            assertThat(ex).hasCause(failure);
            return true;
        }
    }
}
