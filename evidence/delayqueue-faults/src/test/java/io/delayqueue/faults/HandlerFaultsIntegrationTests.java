// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.FoundTask;
import io.delayqueue.TaskState;
import io.delayqueue.faults.HandlerApplication.Kind;
import io.delayqueue.faults.HandlerApplication.Work;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Handlers in several JVMs, some of which are killed. */
class HandlerFaultsIntegrationTests {

    private static final int MAX_ATTEMPTS = 3;
    private static final int MAX_LEASE_EXPIRIES = 2;

    /**
     * {@code -Ddelayqueue.faults.tasks=50000} for the long run; of these 3% fail once, 1% always, 0.1% kill the JVM.
     */
    private static final int TASKS = Integer.getInteger("delayqueue.faults.tasks", 1000);

    @Test
    void handlersWhenSomeFailAndSomeKillTheJvmLoseNothingAndOnlyTheRightOnesAreDead() {
        try (HandlerScene scene = new HandlerScene(
                "--delayqueue.queues.work.lease=2s",
                "--delayqueue.queues.work.max-lease-expiries=" + MAX_LEASE_EXPIRIES,
                "--delayqueue.queues.work.retry.max-attempts=" + MAX_ATTEMPTS,
                "--delayqueue.queues.work.retry.initial-delay=200ms",
                "--delayqueue.queues.work.trigger.max-idle-interval=500ms")) {
            int once = TASKS * 3 / 100;
            int always = TASKS / 100;
            int killing = TASKS / 1000;
            Map<String, Work> tasks = new HashMap<>(scene.schedule(killing, Kind.KILL, 0));
            tasks.putAll(scene.schedule(always, Kind.FAIL_ALWAYS, 0));
            tasks.putAll(scene.schedule(once, Kind.FAIL_ONCE, 0));
            tasks.putAll(scene.schedule(TASKS - once - always - killing, Kind.SUCCEED, 0));

            List<ApplicationProcess> slots = new ArrayList<>(List.of(scene.start(), scene.start()));
            await("all tasks handled or dead")
                    .atMost(Duration.ofSeconds(120 + TASKS / 50))
                    .pollInterval(Duration.ofMillis(200))
                    .until(() -> {
                        slots.replaceAll(process -> process.isAlive() ? process : scene.start());
                        return scene.live() == 0;
                    });

            FencedHandlings handlings = new FencedHandlings(scene.history());
            assertThat(handlings.violations(scene.alive())).isEmpty();
            assertThat(scene.admin.stats(HandlerScene.QUEUE).dead()).isEqualTo(always + killing);
            tasks.forEach((id, work) -> {
                switch (work.kind()) {
                    case FAIL_ALWAYS -> {
                        FoundTask<Work> dead = scene.find(id);
                        assertThat(dead.state()).isEqualTo(TaskState.DEAD);
                        assertThat(dead.lastReason()).hasValue("java.lang.IllegalStateException: fails always");
                        assertThat(dead.failures()).isEqualTo(MAX_ATTEMPTS);
                    }
                    case KILL -> {
                        FoundTask<Work> dead = scene.find(id);
                        assertThat(dead.state()).isEqualTo(TaskState.DEAD);
                        assertThat(dead.lastReason()).hasValue("lease expired");
                        assertThat(dead.leaseExpiries()).isEqualTo(MAX_LEASE_EXPIRIES + 1);
                        assertThat(dead.failures()).isZero();
                    }
                    default -> {
                        assertThat(scene.find(id)).as(id).isNull();
                        assertThat(handlings.done(id)).as(id).isPositive();
                    }
                }
            });
        }
    }
}
