// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Dead tasks that go to an exchange, with several processes that could send them there. */
@Tag("long")
class DeadForwardingIntegrationTests {

    private static final int TASKS = 300;
    private static final String[] ALL_DIE = {
        "--delayqueue.queues.drain.rabbit.routing-key=nowhere",
        "--delayqueue.queues.drain.rabbit.declare.binding-key=drained",
        "--delayqueue.queues.drain.retry.max-attempts=1",
        "--delayqueue.queues.drain.dead.exchange=drain",
        "--delayqueue.queues.drain.dead.routing-key=drained"
    };

    @Test
    void deadTasksWhenTheProcessThatForwardsIsKilledArriveThroughAnotherAndAllOnce() throws Exception {
        try (DrainScene scene = new DrainScene();
                Arrivals arrivals = Arrivals.consuming(scene.rabbit, "drained")) {
            ApplicationProcess forwarding = scene.awaitStarted(scene.startDrainer(ALL_DIE));
            Set<String> ids = new HashSet<>(scene.schedule(TASKS, Instant.now()));
            awaitForwarded(scene, arrivals, ids);
            Stream.generate(() -> scene.startDrainer(ALL_DIE)).limit(2).toList().forEach(scene::awaitStarted);
            ids.addAll(scene.schedule(TASKS, Instant.now()));
            awaitForwarded(scene, arrivals, ids);

            forwarding.kill();

            ids.addAll(scene.schedule(TASKS, Instant.now()));
            awaitForwarded(scene, arrivals, ids);
            assertThat(arrivals.ids()).isEqualTo(ids);
            assertThat(arrivals.duplicates()).isEmpty();
        }
    }

    private static void awaitForwarded(DrainScene scene, Arrivals arrivals, Set<String> ids) {
        await("the process that forwards")
                .atMost(Duration.ofSeconds(60))
                .until(() -> arrivals.ids().size() == ids.size()
                        && scene.admin.stats(DrainApplication.QUEUE).dead() == 0);
    }
}
