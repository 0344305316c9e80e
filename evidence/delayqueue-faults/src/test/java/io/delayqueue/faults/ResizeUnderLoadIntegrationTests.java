// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.CancelOutcome;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.TaskOutcome;
import io.delayqueue.TaskState;
import io.delayqueue.faults.HandlerApplication.Kind;
import io.delayqueue.faults.HandlerApplication.Work;
import io.delayqueue.faults.HandlingHistory.Line;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A queue is spread over 1, then 8, then 3 shards while it is used by three processes that are each configured
 * differently.
 */
@Tag("long")
class ResizeUnderLoadIntegrationTests {

    /** {@code -Ddelayqueue.resize.seconds=60} for the long run: how long each number of shards is used under load. */
    private static final int SECONDS = Integer.getInteger("delayqueue.resize.seconds", 3);

    private static final int FAR_OFF = 300;

    @Test
    void resizeWhenTasksAreScheduledCancelledAndRescheduledLosesDoublesAndStrandsNothing() throws InterruptedException {
        try (HandlerScene scene = new HandlerScene(List.of("--delayqueue.queues.work.shards=5"))) {
            List<ScheduleRequest> farOff = scheduleFarOff(scene);
            ChangingLoad load = new ChangingLoad(scene.template);
            scene.startAndAwait("--delayqueue.queues.work.shards=1");
            await().until(() -> scene.admin.layout(HandlerScene.QUEUE).shards() == 1);
            letRun();
            awaitAllInPlace(scene);
            scene.startAndAwait("--delayqueue.queues.work.shards=8");
            await().until(() -> scene.admin.layout(HandlerScene.QUEUE).shards() == 8);
            letRun();
            awaitAllInPlace(scene);
            scene.admin.resize(HandlerScene.QUEUE, 3);
            letRun();
            load.stop();

            await("all that is due delivered").atMost(Duration.ofSeconds(40)).until(() -> scene.live() == FAR_OFF);
            awaitAllInPlace(scene);
            assertThat(scene.admin.layout(HandlerScene.QUEUE).shards()).isEqualTo(3);
            assertDeliveries(scene, load);
            assertThat(scene.sizes("dq:{work:*}:tasks").keySet())
                    .containsExactly("dq:{work:0}:tasks", "dq:{work:1}:tasks", "dq:{work:2}:tasks");
            assertThat(scene.sizes("dq:{work:[3-7]}:*").values())
                    .as("nothing is left in shards that are not used any more")
                    .allMatch(size -> size == 0);
            assertThat(farOff).allSatisfy(request -> {
                assertThat(scene.find(request.id()).state()).isEqualTo(TaskState.SCHEDULED);
                assertThat(scene.template.cancel(HandlerScene.QUEUE, request.id()))
                        .isEqualTo(CancelOutcome.CANCELLED);
            });
            assertThat(scene.live()).isZero();
        }
    }

    private static void assertDeliveries(HandlerScene scene, ChangingLoad load) {
        assertThat(load.errors).isEmpty();
        assertThat(load.cancelled).hasSizeGreaterThan(SECONDS * 20);
        assertThat(load.rescheduled).hasSizeGreaterThan(SECONDS * 20);
        Map<String, List<Line>> begun =
                scene.history().stream().filter(Line::begun).collect(Collectors.groupingBy(Line::id));
        System.out.printf(
                "resize: %d tasks to deliver, %d cancelled, %d rescheduled, %d in flight when cancelled or rescheduled%n",
                load.dueAt.size(), load.cancelled.size(), load.rescheduled.size(), load.inFlight.size());
        assertThat(load.cancelled).doesNotContainAnyElementsOf(begun.keySet());
        assertThat(load.dueAt).allSatisfy((id, due) -> {
            if (!load.inFlight.contains(id)) {
                assertThat(begun.get(id)).as("deliveries of %s", id).hasSize(1);
                assertThat(begun.get(id).get(0).millis()).as(id).isGreaterThanOrEqualTo(due.toEpochMilli());
            }
        });
        assertThat(load.notFoundAt)
                .allSatisfy((id, at) ->
                        assertThat(begun.get(id).get(0).millis()).as(id).isLessThanOrEqualTo(at));
        assertThat(begun.keySet()).isSubsetOf(load.dueAt.keySet());
    }

    /** So many stay all the time, and have to migrate each time. */
    private static List<ScheduleRequest> scheduleFarOff(HandlerScene scene) {
        List<ScheduleRequest> requests = IntStream.range(0, FAR_OFF)
                .mapToObj(i -> ScheduleRequest.to(HandlerScene.QUEUE)
                        .id("far-off-" + i)
                        .payload(new Work(Kind.SUCCEED, 0))
                        .delay(Duration.ofHours(1))
                        .build())
                .toList();
        assertThat(scene.template.scheduleAll(requests)).allMatch(TaskOutcome::isStored);
        return requests;
    }

    private static void awaitAllInPlace(HandlerScene scene) {
        await("every task in its place")
                .atMost(Duration.ofSeconds(60))
                .until(() -> !scene.admin.layout(HandlerScene.QUEUE).isMigrating());
    }

    private static void letRun() {
        await().atMost(Duration.ofSeconds(SECONDS + 5L))
                .pollDelay(Duration.ofSeconds(SECONDS))
                .until(() -> true);
    }
}
