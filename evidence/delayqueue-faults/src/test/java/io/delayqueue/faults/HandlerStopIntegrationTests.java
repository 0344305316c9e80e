// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.FoundTask;
import io.delayqueue.TaskState;
import io.delayqueue.faults.HandlerApplication.Kind;
import io.delayqueue.faults.HandlerApplication.Work;
import io.delayqueue.faults.HandlingHistory.Line;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Handlers in JVMs that are asked to end while they work. */
class HandlerStopIntegrationTests {

    @Test
    void stopWhenTheCloseTimeIsLongEnoughLosesNothingAndRepeatsNothing() throws InterruptedException {
        try (HandlerScene scene = new HandlerScene(
                "--delayqueue.queues.work.trigger.threads=200", "--delayqueue.queues.work.trigger.batch-size=1")) {
            ApplicationProcess stopped = scene.startAndAwait("--delayqueue.queues.work.trigger.close-timeout=15s");
            Set<String> ids = scene.schedule(200, Kind.SLEEP, 4000).keySet();
            awaitAllBegun(scene);
            stopped.stop();
            assertThat(scene.live()).isZero();
            FencedHandlings handlings = new FencedHandlings(scene.history());
            assertThat(ids).allSatisfy(id -> {
                assertThat(handlings.begun(id)).isEqualTo(1);
                assertThat(handlings.done(id)).isEqualTo(1);
            });
        }
    }

    @Test
    @Tag("long")
    void stopWhenTheCloseTimeIsTooShortHandsTheRestOverAtOnce() throws InterruptedException {
        try (HandlerScene scene = new HandlerScene(
                "--delayqueue.queues.work.trigger.threads=200",
                "--delayqueue.queues.work.trigger.batch-size=1",
                "--delayqueue.queues.work.lease=60s")) {
            ApplicationProcess stopped = scene.startAndAwait("--delayqueue.queues.work.trigger.close-timeout=1s");
            Set<String> ids = scene.schedule(200, Kind.SLEEP, 4000).keySet();
            awaitAllBegun(scene);
            stopped.stop();
            assertThat(ids).allSatisfy(id -> {
                FoundTask<Work> task = scene.find(id);
                assertThat(task.state())
                        .as("given back, not left under its lease")
                        .isEqualTo(TaskState.SCHEDULED);
                assertThat(task.failures()).isZero();
                assertThat(task.nextAttentionAt()).isBefore(Instant.now());
            });

            scene.startAndAwait();
            await().atMost(Duration.ofSeconds(30)).until(() -> scene.live() == 0);
            FencedHandlings handlings = new FencedHandlings(scene.history());
            assertThat(ids).allSatisfy(id -> {
                assertThat(handlings.begun(id)).isEqualTo(2);
                assertThat(handlings.done(id)).isEqualTo(1);
            });
        }
    }

    private static void awaitAllBegun(HandlerScene scene) {
        await().atMost(Duration.ofSeconds(20))
                .until(() -> scene.history().stream().filter(Line::begun).count() == 200);
    }
}
