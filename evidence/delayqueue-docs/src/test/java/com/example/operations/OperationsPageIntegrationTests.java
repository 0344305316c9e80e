// SPDX-License-Identifier: Apache-2.0
package com.example.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.TaskNotReplicatedException;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.annotation.DelayQueueListener;
import io.delayqueue.control.BulkOperations;
import io.delayqueue.control.OperationView.Status;
import io.delayqueue.guide.GuidePages;
import io.delayqueue.test.DelayQueueTest;
import io.delayqueue.test.DelayQueueTestKit;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.annotation.DirtiesContext.MethodMode;

/** The code of docs/operations.md does what the page says. */
@GuidePages({})
@DelayQueueTest(
        value = {Operations.class, OperationsPageIntegrationTests.Handler.class},
        queues = "orders")
@ExtendWith(OutputCaptureExtension.class)
class OperationsPageIntegrationTests {

    @Autowired
    private Operations operations;

    @Autowired
    private DelayQueueTestKit kit;

    @Autowired
    private DelayQueueAdmin admin;

    @Autowired
    private DelayQueueOperations delayQueue;

    @Autowired
    private BulkOperations bulk;

    @Autowired
    private Handler handler;

    @BeforeEach
    void nothingIsHandled() {
        handler.handled.clear();
    }

    @Test
    void listShowsEachQueueAsThePageDoes(CapturedOutput output) {
        operations.list();
        assertThat(output)
                .contains(
                        "orders QueueStats[delayed=0, heldBack=0, ready=0, leased=0, dead=0, nextAttention=Optional.empty,"
                                + " pause=Optional.empty]");
    }

    /**
     * The page's requests start from the current wall clock, so the test needs a new context, whose time starts there
     * too.
     */
    @Test
    @DirtiesContext(methodMode = MethodMode.BEFORE_METHOD)
    void livePagesShowTheTasksOfOneCustomerInTheNextHour(CapturedOutput output) {
        schedule("{customer-7}:soon", Duration.ofMinutes(10));
        schedule("{customer-7}:later", Duration.ofDays(2));
        schedule("{customer-8}:soon", Duration.ofMinutes(10));
        operations.live();
        assertThat(output).contains("{customer-7}:soon").doesNotContain("{customer-7}:later", "{customer-8}");
    }

    @Test
    void waitingTasksAreCancelledUpToTheEndOfTheOutageAndThenDelivered() {
        schedule("cancelled", Duration.ofMinutes(10));
        schedule("delivered", Duration.ofHours(10));
        operations.afterAnOutage(kit.now().plus(Duration.ofHours(1)), kit.now().plus(Duration.ofDays(1)));
        await().until(() -> bulk.all().stream().allMatch(operation -> operation.status() == Status.DONE));
        kit.advance(Duration.ZERO);
        assertThat(kit.queue("orders")).hasNoTasks();
        assertThat(handler.handled).containsExactly("delivered");
    }

    @Test
    void deadTasksAreShownAndRedriven(CapturedOutput output) {
        for (String id : List.of("order-42", "order-43", "order-44")) {
            kit.failNext("orders", id, 36);
            schedule(id, Duration.ZERO);
        }
        kit.advance(Duration.ofDays(2));
        assertThat(kit.queue("orders")).hasDeadTaskCount(3);
        operations.dead();
        assertThat(output).contains("order-42", "order-43", "order-44");
        operations.redrive();
        kit.advance(Duration.ofSeconds(1));
        assertThat(handler.handled).containsExactlyInAnyOrder("order-42", "order-43", "order-44");
    }

    @Test
    @DirtiesContext(methodMode = MethodMode.AFTER_METHOD)
    void queueWhenSteeredHasEightShardsAndNoTasks() {
        operations.steer();
        assertThat(admin.sharding("orders").shards()).isEqualTo(8);
        assertThat(admin.isPaused("orders")).isFalse();
        assertThat(kit.queue("orders")).hasNoTasks();
    }

    @Test
    void taskWhenNoReplicaTakesItIsRefusedAndThere() {
        assertThatExceptionOfType(TaskNotReplicatedException.class)
                .isThrownBy(() -> operations.scheduleOnAReplicaToo("p", Duration.ofMinutes(10)));
        assertThat(kit.queue("orders")).hasTask("order-42");
    }

    private void schedule(String id, Duration delay) {
        delayQueue.schedule(
                ScheduleRequest.to("orders").id(id).payload(id).dueIn(delay).build());
    }

    static final class Handler {

        final List<String> handled = new CopyOnWriteArrayList<>();

        @DelayQueueListener(queue = "orders")
        void handle(String id) {
            handled.add(id);
        }
    }
}
