// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.delayqueue.internal.admin.RedriveProcess;
import io.delayqueue.internal.calls.BoundedWait;
import io.delayqueue.internal.client.DelayQueueTemplate;
import io.delayqueue.internal.codec.PayloadCodecs;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.queue.TaskBounds;
import io.delayqueue.internal.redis.StoreFixture;
import io.delayqueue.internal.store.Shard;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Counts of tasks that wait in all shards of a queue. */
class DueTimesIntegrationTests {

    private static final String QUEUE = "orders";
    private static final int TASKS = 60;
    private static final List<Shard> SHARDS =
            IntStream.range(0, 4).mapToObj(shard -> new Shard(QUEUE, shard)).toList();
    private static final Instant FIRST = Instant.parse("2100-01-01T00:00:00Z");

    private final StoreFixture redis = new StoreFixture();
    private final QueueCatalog queues = RedriveProcess.queues(QUEUE, 4);
    private final DueTimes dueTimes =
            new DueTimes(redis.store(), new BoundedWait(redis.store().callTimeout()));

    /** One a minute. */
    @BeforeEach
    void schedule() {
        DelayQueueTemplate template =
                new DelayQueueTemplate(redis.store(), queues, new PayloadCodecs(List.of()), TaskBounds.DEFAULT);
        template.scheduleAll(IntStream.range(0, TASKS)
                .mapToObj(i -> requestTo(QUEUE, "t-" + i, "x", at(i)))
                .toList());
    }

    @AfterEach
    void close() {
        redis.close();
    }

    private static Instant at(int minutes) {
        return FIRST.plus(Duration.ofMinutes(minutes));
    }

    @Test
    void countsWhenTasksAreInAllShardsSumThem() {
        assertThat(dueTimes.count(SHARDS, at(1), Duration.ofMinutes(10), 3))
                .isEqualTo(new DueCounts(at(1), Duration.ofMinutes(10), 1, List.of(10L, 10L, 10L), TASKS - 31));
    }

    @Test
    void countsWhenTheSlicesCannotBeAreRefused() {
        Duration minute = Duration.ofMinutes(1);
        assertThatIllegalArgumentException().isThrownBy(() -> dueTimes.count(SHARDS, FIRST, minute, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> dueTimes.count(SHARDS, FIRST, minute, 501));
        assertThatIllegalArgumentException().isThrownBy(() -> dueTimes.count(SHARDS, FIRST, Duration.ZERO, 1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> dueTimes.count(SHARDS, FIRST, Duration.ofSeconds(Long.MAX_VALUE), 500));
        assertThatIllegalArgumentException().isThrownBy(() -> dueTimes.count(SHARDS, Instant.MAX, minute, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> dueTimes.count(SHARDS, Instant.MIN, minute, 1));
    }
}
