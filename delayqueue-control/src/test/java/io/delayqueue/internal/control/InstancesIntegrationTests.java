// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.internal.admin.RedriveProcess;
import io.delayqueue.internal.client.DelayQueueTemplate;
import io.delayqueue.internal.codec.PayloadCodecs;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.engine.ProcessLoad;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.queue.TaskBounds;
import io.delayqueue.internal.redis.StoreFixture;
import io.delayqueue.internal.store.NotedQueue;
import io.delayqueue.internal.store.QueueNoteStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What processes note of themselves, on a real Redis. */
class InstancesIntegrationTests {

    private static final String NOTES = "{queues}:instances";
    private static final Duration PERIOD = Duration.ofMillis(500);

    private final StoreFixture redis = new StoreFixture();
    private final Scheduler scheduler = new Scheduler();
    private final List<Instances> processes = new ArrayList<>();

    @AfterEach
    void close() {
        processes.forEach(Instances::close);
        scheduler.close();
        redis.close();
    }

    private Instances process(String name, String... queues) {
        ProcessLoad load = new ProcessLoad(List.of(queues), 8, 3);
        Instances process = new Instances(redis.store(), scheduler, name, "1.2", () -> load, PERIOD);
        processes.add(process);
        process.announce();
        return process;
    }

    private List<String> listed(Instances reader) {
        return reader.all(queue -> true).stream().map(InstanceView::process).toList();
    }

    /** Otherwise each process would leave a field in each round. */
    @Test
    void processWhenItNotesItselfAgainReplacesItsLastNote() {
        Instances one = process("1@a", "orders", "mails");
        process("2@b", "mails");
        await().until(() -> listed(one), List.of("1@a", "2@b")::equals);
        Map<String, String> before = redis.hash(NOTES);

        await().until(() -> redis.hash(NOTES).values().stream().noneMatch(note -> before.containsValue(note)));

        assertThat(redis.hash(NOTES).keySet()).isEqualTo(before.keySet()).hasSize(2);
        assertThat(one.all(queue -> true).get(0).version()).isEqualTo("1.2");
        assertThat(one.all(queue -> true).get(0).queues()).containsExactly("mails", "orders");
    }

    /** Containers often have process id 1, and hosts may have the same name. */
    @Test
    void processesWhenTheyHaveTheSameNameAreBothListed() {
        Instances one = process("1@a", "orders");
        process("1@a", "mails");

        await().until(() -> listed(one), List.of("1@a", "1@a")::equals);
        assertThat(one.all(queue -> true))
                .extracting(InstanceView::queues)
                .containsExactlyInAnyOrder(List.of("orders"), List.of("mails"));
    }

    /** Otherwise each process would get the notes of all others in each round. */
    @Test
    void processWhenItNotesItselfReadsNothing() {
        NotedQueue own = new NotedQueue("1@a", true, "-", "", true);
        QueueNoteStore notes = redis.store().queueNotes();

        assertThat(notes.note("text", QueueNoteStore.Kind.INSTANCES, List.of(own), PERIOD)
                        .join())
                .isEmpty();
        assertThat(notes.note("reader", QueueNoteStore.Kind.INSTANCES, List.of(), PERIOD)
                        .join())
                .singleElement()
                .satisfies(note -> assertThat(note.process()).isEqualTo("text"));
    }

    @Test
    void processWhenItIsGoneIsForgotten() {
        Instances one = process("1@a", "orders");
        Instances two = process("2@b", "orders");
        await().until(() -> listed(one), List.of("1@a", "2@b")::equals);

        two.close();

        await().until(() -> listed(one), List.of("1@a")::equals);
        assertThat(redis.hash(NOTES)).hasSize(1);
    }

    /** The sums are of all queues, also of those that the caller may not see. */
    @Test
    void deliveriesWhenTheCallerMayNotReadAllQueuesOfAProcessAreHidden() {
        Instances one = process("1@a", "orders", "mails");
        await().until(() -> listed(one), List.of("1@a")::equals);

        assertThat(one.all(queue -> true)).singleElement().satisfies(all -> {
            assertThat(all.inProgress()).isZero();
            assertThat(all.perMinute()).isZero();
            assertThat(all.workers()).isEqualTo(8);
            assertThat(all.busy()).isEqualTo(3);
        });
        assertThat(one.all("mails"::equals)).singleElement().satisfies(some -> {
            assertThat(some.queues()).containsExactly("mails");
            assertThat(some.inProgress()).isNull();
            assertThat(some.perMinute()).isNull();
            assertThat(some.workers()).isNull();
            assertThat(some.busy()).isNull();
        });
        assertThat(one.all("other"::equals)).isEmpty();
    }

    /** Viewers who may read the same configured queues share the page of a queue. */
    @Test
    void deliveriesWhenAQueueOfAProcessIsNotConfiguredHereAreHiddenOnThePageOfAQueue() {
        Instances one = process("1@a", "orders", "elsewhere");
        process("2@b", "elsewhere");
        await().until(() -> listed(one), List.of("1@a", "2@b")::equals);
        QueueCatalog queues = RedriveProcess.queues("orders", 1);
        try (QueueControl control = new QueueControl(
                redis.admin(queues),
                new DelayQueueTemplate(redis.store(), queues, new PayloadCodecs(List.of()), TaskBounds.DEFAULT),
                (caller, queue) -> ControlScene.EVERYTHING,
                null,
                List.of(),
                redis.store(),
                List::of,
                Map::of,
                one)) {
            assertThat(control.instances(ControlScene.EVE, true))
                    .extracting(InstanceView::busy)
                    .containsExactly(3L, 3L);
            assertThat(control.instances(ControlScene.EVE, false))
                    .singleElement()
                    .satisfies(some -> {
                        assertThat(some.process()).isEqualTo("1@a");
                        assertThat(some.busy()).isNull();
                        assertThat(some.perMinute()).isNull();
                    });
        }
    }
}
