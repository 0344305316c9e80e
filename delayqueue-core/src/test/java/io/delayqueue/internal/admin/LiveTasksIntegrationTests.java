// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.admin;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.delayqueue.admin.DueCounts;
import io.delayqueue.admin.LiveTask;
import io.delayqueue.admin.LiveTaskPage;
import io.delayqueue.admin.LiveTaskPageRequest;
import io.delayqueue.client.DelayQueueTemplate;
import io.delayqueue.codec.PayloadCodecs;
import io.delayqueue.internal.redis.StoreFixture;
import io.delayqueue.queue.QueueCatalog;
import io.delayqueue.queue.TaskBounds;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Looking at tasks that wait in all shards of a queue, and acting on them. */
class LiveTasksIntegrationTests {

    private static final String QUEUE = "orders";
    private static final int TASKS = 60;
    private static final Instant FIRST = Instant.parse("2100-01-01T00:00:00Z");

    private final StoreFixture redis = new StoreFixture();
    private final QueueCatalog queues = RedriveProcess.queues(QUEUE, 4);
    private final TaskStoreAdmin admin = redis.admin(queues);

    /** One a minute; every third one's id begins with {@code vip-}. */
    @BeforeEach
    void schedule() {
        DelayQueueTemplate template =
                new DelayQueueTemplate(redis.store(), queues, new PayloadCodecs(List.of()), TaskBounds.DEFAULT);
        template.scheduleAll(IntStream.range(0, TASKS)
                .mapToObj(i -> requestTo(QUEUE, id(i), "x", at(i)))
                .toList());
    }

    @AfterEach
    void close() {
        redis.close();
    }

    private static String id(int number) {
        return (number % 3 == 0 ? "vip-" : "t-") + number;
    }

    private static Instant at(int minutes) {
        return FIRST.plus(Duration.ofMinutes(minutes));
    }

    private List<String> pages(LiveTaskPageRequest first) {
        List<String> ids = new ArrayList<>();
        Optional<LiveTaskPageRequest> next = Optional.of(first);
        while (next.isPresent()) {
            LiveTaskPage page = admin.liveTasks(QUEUE, next.get());
            page.tasks().stream().map(LiveTask::id).forEach(ids::add);
            next = page.next();
        }
        return ids;
    }

    @Test
    void liveTasksWhenTurnedShowEachOfTheWindowAndPrefixOnce() {
        for (int size : new int[] {1, 7, 500}) {
            assertThat(pages(LiveTaskPageRequest.first(size)))
                    .containsExactlyInAnyOrderElementsOf(IntStream.range(0, TASKS)
                            .mapToObj(LiveTasksIntegrationTests::id)
                            .toList());
            assertThat(pages(LiveTaskPageRequest.first(size)
                            .between(at(10), at(20))
                            .withIdPrefix("vip-")))
                    .containsExactlyInAnyOrder("vip-12", "vip-15", "vip-18");
        }
        LiveTask task = admin.liveTasks(QUEUE, LiveTaskPageRequest.first(500)).tasks().stream()
                .filter(live -> live.id().equals("vip-3"))
                .findFirst()
                .orElseThrow();
        assertThat(task.dueAt()).isEqualTo(task.nextAttentionAt()).isEqualTo(at(3));
        assertThat(pages(LiveTaskPageRequest.first(5).between(Instant.MIN, Instant.MAX)))
                .hasSize(TASKS);
    }

    @Test
    void dueCountsWhenTasksAreInAllShardsSumThem() {
        assertThat(admin.dueCounts(QUEUE, at(1), Duration.ofMinutes(10), 3))
                .isEqualTo(new DueCounts(at(1), Duration.ofMinutes(10), 1, List.of(10L, 10L, 10L), TASKS - 31));
    }

    @Test
    void dueCountsWhenTheSlicesCannotBeAreRefused() {
        Duration minute = Duration.ofMinutes(1);
        assertThatIllegalArgumentException().isThrownBy(() -> admin.dueCounts(QUEUE, FIRST, minute, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> admin.dueCounts(QUEUE, FIRST, minute, 501));
        assertThatIllegalArgumentException().isThrownBy(() -> admin.dueCounts(QUEUE, FIRST, Duration.ZERO, 1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> admin.dueCounts(QUEUE, FIRST, Duration.ofSeconds(Long.MAX_VALUE), 500));
        assertThatIllegalArgumentException().isThrownBy(() -> admin.dueCounts(QUEUE, Instant.MAX, minute, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> admin.dueCounts(QUEUE, Instant.MIN, minute, 1));
    }
}
