// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.CancelOutcome;
import io.delayqueue.RescheduleOutcome;
import io.delayqueue.faults.Arrivals.Arrival;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The main job, over several JVMs, on real servers, without and with kills. */
class DrainIntegrationTests {

    private static final String QUEUE = DrainApplication.QUEUE;
    private static final String DRAINED = "drained";

    private static DrainScene scene;

    @BeforeAll
    static void start() {
        scene = new DrainScene();
    }

    @AfterAll
    static void stop() {
        scene.close();
    }

    @AfterEach
    void cleanUp() {
        scene.stopDrainers();
        scene.flushRedis();
        scene.rabbit.ctl("purge_queue", DRAINED);
    }

    @Test
    void drainWhenTwoProcessesShareAShortQueueDeliversEachTaskOnce() throws Exception {
        drainByTwoProcesses(5_000, Duration.ofSeconds(4));
    }

    @Test
    @Tag("long")
    void drainWhenTwoProcessesShareTheQueueDeliversEachTaskOnce() throws Exception {
        drainByTwoProcesses(100_000, Duration.ofSeconds(15));
    }

    /** @param lead longer than it takes to schedule so many */
    private static void drainByTwoProcesses(int count, Duration lead) throws Exception {
        // their first connection may be slow where two JVMs start at the same time, and a warning would say so
        String patience = "--delayqueue.redis.command-timeout=10s";
        List<ApplicationProcess> drainers = List.of(scene.startDrainer(patience), scene.startDrainer(patience));
        drainers.forEach(scene::awaitStarted);
        try (Arrivals arrivals = Arrivals.consuming(scene.rabbit, DRAINED)) {
            Instant due = Instant.now().plus(lead);
            Set<String> ids = scene.schedule(count, due);
            assertThat(Instant.now()).as("all are in before they are due").isBefore(due);

            await().atMost(Duration.ofSeconds(60)).until(() -> arrivals.count() >= count);
            scene.awaitDrained(Duration.ofSeconds(10));

            assertThat(arrivals.ids()).isEqualTo(ids);
            assertThat(arrivals.duplicates()).isEmpty();
            assertNoneEarly(arrivals);
            assertThat(drainers).allSatisfy(drainer -> assertThat(drainer.log()).doesNotContain("ERROR", "WARN"));
        }
    }

    @Test
    @Tag("long")
    void drainWhenTasksAreCancelledAndRescheduledDeliversWhatIsLeftAtItsNewTime() throws Exception {
        int count = 20_000;
        scene.awaitStarted(scene.startDrainer());
        try (Arrivals arrivals = Arrivals.consuming(scene.rabbit, DRAINED)) {
            Instant due = Instant.now().plusSeconds(12);
            List<String> ids = new ArrayList<>(scene.schedule(count, due));
            Set<String> cancelled = new HashSet<>();
            Map<String, Instant> rescheduled = new HashMap<>();
            for (int i = 0; i < count; i += 10) {
                assertThat(scene.template.cancel(QUEUE, ids.get(i))).isEqualTo(CancelOutcome.CANCELLED);
                cancelled.add(ids.get(i));
                Instant later = due.plusMillis(2000 + i / 10);
                assertThat(scene.template.reschedule(QUEUE, ids.get(i + 1), later))
                        .isEqualTo(RescheduleOutcome.RESCHEDULED);
                rescheduled.put(ids.get(i + 1), later);
            }
            assertThat(Instant.now()).as("all was changed before it was due").isBefore(due);

            scene.awaitDrained(Duration.ofSeconds(60));
            await().atMost(Duration.ofSeconds(10)).until(() -> arrivals.count() >= count - cancelled.size());

            Set<String> expected = new HashSet<>(ids);
            expected.removeAll(cancelled);
            assertThat(arrivals.ids()).isEqualTo(expected);
            assertThat(arrivals.duplicates()).isEmpty();
            assertNoneEarly(arrivals);
            assertThat(arrivals.all())
                    .filteredOn(arrival -> rescheduled.containsKey(arrival.id()))
                    .hasSize(rescheduled.size())
                    .allSatisfy(arrival -> assertThat(arrival.seenAtMillis())
                            .isGreaterThanOrEqualTo(
                                    rescheduled.get(arrival.id()).toEpochMilli()));
        }
    }

    @Test
    @Tag("long")
    void drainWhenTheApplicationIsKilledRepeatsOnlyWhatWasLeased() throws Exception {
        int count = 20_000;
        Set<String> ids = scene.schedule(count, Instant.now());
        ApplicationProcess killed = scene.startDrainer("--delayqueue.queues.drain.trigger.batch-size=50");
        scene.awaitGone(count / 4, count);
        killed.kill();
        Set<String> leased = scene.leasedIds();
        assertThat(leased).as("it was killed in the middle").isNotEmpty();

        scene.awaitStarted(scene.startDrainer());
        scene.awaitDrained(Duration.ofSeconds(60));

        try (Arrivals arrivals = Arrivals.collected(scene.rabbit, DRAINED)) {
            assertThat(arrivals.ids()).isEqualTo(ids);
            assertThat(leased).containsAll(arrivals.duplicates());
            assertNoneEarly(arrivals);
        }
    }

    @Test
    @Tag("long")
    void drainWhenRabbitIsKilledGoesOnAndRepeatsOnlyWhatWasLeased() throws Exception {
        int count = 20_000;
        Set<String> ids = scene.schedule(count, Instant.now());
        ApplicationProcess drainer = scene.startDrainer("--delayqueue.queues.drain.trigger.batch-size=50");
        scene.awaitGone(count / 4, count);
        Set<String> mayBeRepeated = scene.leasedIds();
        scene.rabbit.kill();
        mayBeRepeated.addAll(scene.leasedIds());
        mayBeRepeated.addAll(scene.uncertainIds());
        assertThat(scene.admin.stats(QUEUE).ready())
                .as("it was killed in the middle")
                .isPositive();
        scene.rabbit.start();

        scene.awaitDrained(Duration.ofSeconds(90));

        assertThat(drainer.isAlive()).isTrue();
        assertThat(scene.admin.stats(QUEUE).dead()).isZero();
        try (Arrivals arrivals = Arrivals.collected(scene.rabbit, DRAINED)) {
            assertThat(arrivals.ids()).isEqualTo(ids);
            assertThat(mayBeRepeated).containsAll(arrivals.duplicates());
            assertNoneEarly(arrivals);
        }
    }

    @Test
    @Tag("long")
    void drainWhenRedisIsKilledGoesOnAndLosesNothing() throws Exception {
        int count = 20_000;
        Set<String> ids = scene.schedule(count, Instant.now());
        ApplicationProcess drainer = scene.startDrainer("--delayqueue.queues.drain.trigger.batch-size=50");
        scene.awaitGone(count / 4, count);
        scene.redis.kill();
        scene.redis.start();
        assertThat(scene.leasedIds().size() + scene.admin.stats(QUEUE).ready())
                .as("it was killed in the middle")
                .isPositive();

        scene.awaitDrained(Duration.ofSeconds(60));

        assertThat(drainer.isAlive()).isTrue();
        assertThat(scene.admin.stats(QUEUE).dead()).isZero();
        try (Arrivals arrivals = Arrivals.collected(scene.rabbit, DRAINED)) {
            assertThat(arrivals.ids()).isEqualTo(ids);
            assertNoneEarly(arrivals);
        }
    }

    private static void assertNoneEarly(Arrivals arrivals) {
        assertThat(arrivals.all()).allSatisfy(DrainIntegrationTests::assertNotEarly);
    }

    private static void assertNotEarly(Arrival arrival) {
        assertThat(arrival.seenAtMillis()).as(arrival.id()).isGreaterThanOrEqualTo(arrival.dueAtMillis());
    }
}
