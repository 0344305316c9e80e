// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.test.server.RabbitCluster;
import io.delayqueue.test.server.RabbitServer;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Forwarding into a quorum queue while the node that the publisher is connected to, and that leads the queue, dies. */
@Tag("long")
class RabbitClusterIntegrationTests {

    @Test
    void drainWhenANodeIsKilledGoesOnThroughAnotherAndRepeatsOnlyWhatWasLeased() throws Exception {
        int count = 4_000;
        RabbitCluster cluster = RabbitCluster.installed();
        try (DrainScene scene = new DrainScene(cluster)) {
            assertThat(scene.rabbit.ctl("list_queues", "name", "type", "leader"))
                    .contains("drained\tquorum\tdelayqueue-" + scene.rabbit.port() + "@localhost");
            Set<String> ids = scene.schedule(count, Instant.now());
            ApplicationProcess drainer = scene.startDrainer("--delayqueue.queues.drain.trigger.batch-size=50");
            scene.awaitGone(count / 4, count);
            Set<String> mayBeRepeated = scene.leasedIds();

            scene.rabbit.kill();

            mayBeRepeated.addAll(scene.leasedIds());
            mayBeRepeated.addAll(scene.uncertainIds());
            assertThat(scene.admin.stats(DrainApplication.QUEUE).ready())
                    .as("it was killed in the middle")
                    .isPositive();
            scene.awaitDrained(Duration.ofSeconds(90));
            assertThat(drainer.isAlive()).isTrue();
            assertThat(scene.admin.stats(DrainApplication.QUEUE).dead()).isZero();
            RabbitServer survivor = cluster.nodes().get(1);
            try (Arrivals arrivals = Arrivals.consuming(survivor, "drained")) {
                await().atMost(Duration.ofSeconds(60))
                        .pollInterval(Duration.ofSeconds(1))
                        .until(() ->
                                survivor.ctl("list_queues", "name", "messages").contains("drained\t0"));
                assertThat(arrivals.ids()).isEqualTo(ids);
                assertThat(mayBeRepeated).containsAll(arrivals.duplicates());
            }
        }
    }
}
