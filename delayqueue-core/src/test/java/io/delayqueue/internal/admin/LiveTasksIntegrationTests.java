// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.admin;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.ListedTask;
import io.delayqueue.TaskPage;
import io.delayqueue.admin.TaskQuery;
import io.delayqueue.internal.client.DelayQueueTemplate;
import io.delayqueue.internal.codec.PayloadCodecs;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.queue.TaskBounds;
import io.delayqueue.internal.redis.StoreFixture;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
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

    private List<String> pages(TaskQuery first) {
        List<String> ids = new ArrayList<>();
        TaskQuery query = first;
        TaskPage<ListedTask> live;
        do {
            live = admin.liveTasks(QUEUE, query);
            live.content().stream().map(ListedTask::id).forEach(ids::add);
            query = query.after(live.position());
        } while (live.hasNext());
        return ids;
    }

    @Test
    void liveTasksWhenTurnedShowEachOfTheWindowAndPrefixOnce() {
        for (int size : new int[] {1, 7, 500}) {
            assertThat(pages(TaskQuery.first(size)))
                    .containsExactlyInAnyOrderElementsOf(IntStream.range(0, TASKS)
                            .mapToObj(LiveTasksIntegrationTests::id)
                            .toList());
            assertThat(pages(TaskQuery.first(size).between(at(10), at(20)).withIdPrefix("vip-")))
                    .containsExactlyInAnyOrder("vip-12", "vip-15", "vip-18");
        }
        ListedTask task = admin.liveTasks(QUEUE, TaskQuery.first(500)).content().stream()
                .filter(live -> live.id().equals("vip-3"))
                .findFirst()
                .orElseThrow();
        assertThat(task.dueAt()).isEqualTo(task.nextAttentionAt()).isEqualTo(at(3));
        assertThat(pages(TaskQuery.first(5).between(Instant.MIN, Instant.MAX))).hasSize(TASKS);
    }
}
