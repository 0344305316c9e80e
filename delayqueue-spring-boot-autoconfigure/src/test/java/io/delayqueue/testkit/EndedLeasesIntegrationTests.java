// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.testkit;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.Due;
import io.delayqueue.annotation.DelayQueueListener;
import io.delayqueue.handler.DelayedTask;
import io.delayqueue.test.DelayQueueTest;
import io.delayqueue.test.DelayQueueTestKit;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;

/**
 * Handlers that change their own task: that ends the lease of their delivery, and Redis knows nothing of it any more.
 */
@DelayQueueTest(
        value = EndedLeasesIntegrationTests.Handler.class,
        queues = "orders",
        properties = "delayqueue.test.timeout=2s")
class EndedLeasesIntegrationTests {

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration LONG_ENOUGH_TO_SEE = Duration.ofMillis(300);

    @Autowired
    DelayQueueTestKit kit;

    @Autowired
    DelayQueueOperations tasks;

    @Autowired
    Handler handler;

    private Instant begin;

    @BeforeEach
    void begin() {
        handler.entries.clear();
        handler.letGo = new CountDownLatch(1);
        handler.lasts = LONG_ENOUGH_TO_SEE;
        begin = kit.now();
    }

    @ParameterizedTest
    @EnumSource
    void advanceWhenAHandlerChangesItsOwnTaskWaitsForItsEnd(Change change) {
        schedule(change);
        kit.advance(MINUTE);
        assertThat(handler.entries).containsExactly("begun at " + begin.plus(MINUTE), "ended at " + begin.plus(MINUTE));
    }

    @ParameterizedTest
    @EnumSource(names = {"REPLACE", "RESCHEDULE"})
    void advanceWhenATaskComesAgainByItsHandlerHasEachRoundAtItsOwnMoment(Change change) {
        schedule(change);
        kit.advance(MINUTE.multipliedBy(3));
        assertThat(handler.entries)
                .containsExactly(
                        "begun at " + begin.plus(MINUTE),
                        "ended at " + begin.plus(MINUTE),
                        "begun at " + begin.plus(MINUTE.multipliedBy(2)),
                        "ended at " + begin.plus(MINUTE.multipliedBy(2)),
                        "begun at " + begin.plus(MINUTE.multipliedBy(3)),
                        "ended at " + begin.plus(MINUTE.multipliedBy(3)));
    }

    @Test
    void advanceWhenAHandlerThatHasCancelledItsTaskHangsSaysSo() {
        handler.lasts = Duration.ofMinutes(1);
        schedule(Change.CANCEL);
        try {
            assertThatExceptionOfType(AssertionError.class)
                    .isThrownBy(() -> kit.advance(MINUTE))
                    .withMessageContaining("Not settled")
                    .withMessageContaining(
                            "queue 'orders': 1 delivery(s) of task 'order-1' in progress without a lease");
        } finally {
            handler.letGo.countDown();
        }
        kit.advance(MINUTE);
        assertThat(handler.entries).containsExactly("begun at " + begin.plus(MINUTE), "ended at " + begin.plus(MINUTE));
    }

    @Test
    void advanceWhenAHandlerFailsAfterItHasCancelledItsTaskDoesNotWaitForMore() {
        schedule(Change.CANCEL_AND_FAIL);
        kit.advance(MINUTE);
        kit.advance(Duration.ofHours(1));
        assertThat(handler.entries).hasSize(2);
        assertThat(kit.queue("orders")).hasNoTasks().hasNoDeadTasks();
    }

    private void schedule(Change change) {
        tasks.schedule(requestTo("orders", "order-1", change, MINUTE));
    }

    enum Change {
        CANCEL,
        CANCEL_AND_FAIL,
        REPLACE,
        RESCHEDULE
    }

    static class Handler {

        final List<String> entries = new CopyOnWriteArrayList<>();
        volatile CountDownLatch letGo = new CountDownLatch(1);
        volatile Duration lasts = LONG_ENOUGH_TO_SEE;
        private final ObjectProvider<DelayQueueTestKit> kit;
        private final DelayQueueOperations tasks;

        Handler(ObjectProvider<DelayQueueTestKit> kit, DelayQueueOperations tasks) {
            this.kit = kit;
            this.tasks = tasks;
        }

        @DelayQueueListener(queue = "orders")
        void handle(DelayedTask<Change> task) throws InterruptedException {
            note("begun");
            switch (task.payload()) {
                case CANCEL, CANCEL_AND_FAIL -> tasks.cancel("orders", task.id());
                case REPLACE -> tasks.schedule(requestTo("orders", task.id(), task.payload(), MINUTE));
                case RESCHEDULE -> tasks.reschedule("orders", task.id(), Due.after(MINUTE));
            }
            letGo.await(lasts.toMillis(), TimeUnit.MILLISECONDS);
            note("ended");
            if (task.payload() == Change.CANCEL_AND_FAIL) {
                throw new IllegalStateException("failed after its task was cancelled");
            }
        }

        private void note(String what) {
            entries.add(what + " at " + kit.getObject().now());
        }
    }
}
