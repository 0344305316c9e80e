// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.faults.HandlerApplication.Kind;
import io.delayqueue.faults.HandlingHistory.Line;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A handler whose JVM is frozen for longer than its lease. */
class FrozenHandlerIntegrationTests {

    @Test
    void handlerWhenItsProcessIsFrozenLosesItsLeaseAndIsTold() throws InterruptedException {
        try (HandlerScene scene = new HandlerScene(
                "--delayqueue.queues.work.lease=2s", "--delayqueue.queues.work.trigger.max-idle-interval=300ms")) {
            ApplicationProcess frozen = scene.startAndAwait();
            String id = scene.schedule(1, Kind.STAY, 1500).keySet().iterator().next();
            await().atMost(Duration.ofSeconds(20)).until(() -> !scene.history().isEmpty());
            frozen.signal("STOP");
            scene.startAndAwait();
            await("the other process has handled it")
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> scene.find(id) == null);
            frozen.signal("CONT");

            await("the frozen one has ended too")
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> scene.history().stream()
                                    .filter(line -> !line.begun())
                                    .count()
                            == 2);
            List<Line> ends =
                    scene.history().stream().filter(line -> !line.begun()).toList();
            assertThat(ends)
                    .filteredOn(line -> line.pid() == frozen.pid())
                    .singleElement()
                    .matches(Line::lost, "was told that its lease is lost");
            assertThat(ends)
                    .filteredOn(line -> line.pid() != frozen.pid())
                    .singleElement()
                    .matches(line -> !line.lost(), "had the lease");
            assertThat(new FencedHandlings(scene.history()).violations(scene.alive()))
                    .isEmpty();
            assertThat(scene.find(id)).as("the late settle changed nothing").isNull();
            assertThat(scene.admin.stats(HandlerScene.QUEUE).dead()).isZero();
        }
    }
}
