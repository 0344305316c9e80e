// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.testkit;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.DeliveryWindow;
import io.delayqueue.ListedTask;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.admin.KeyLimits;
import io.delayqueue.test.DelayQueueTest;
import io.delayqueue.test.DelayQueueTestKit;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/** Time that a test moves, over a Redis and an engine as an application has them. */
@DelayQueueTest(
        value = Journal.class,
        queues = {"orders", "reminders", "rounds", "unheard"},
        properties = {
            "delayqueue.queues.orders.shards=3",
            "delayqueue.queues.orders.retry.max-retries=2",
            "delayqueue.queues.orders.retry.delay=10s",
            "delayqueue.queues.orders.retry.multiplier=2",
            "delayqueue.queues.orders.retry.jitter=0",
            "delayqueue.queues.orders.limits.rate-when-overdue=1/s",
            "delayqueue.test.timeout=2s"
        })
class DelayQueueTestKitIntegrationTests {

    private static final Duration QUARTER = Duration.ofMinutes(15);
    private static final Duration MILLI = Duration.ofMillis(1);

    @Autowired
    DelayQueueTestKit kit;

    @Autowired
    DelayQueueOperations tasks;

    @Autowired
    DelayQueueAdmin admin;

    @Autowired
    Journal journal;

    private Instant begin;

    /** The data of the previous test is gone. */
    @BeforeEach
    void begin() {
        for (String queue : admin.queues()) {
            assertThat(kit.queue(queue)).hasNoTasks().hasNoDeadTasks();
        }
        journal.entries.clear();
        begin = kit.now();
    }

    @Test
    void advanceWhenAMillisecondIsMissingDeliversNothingAndWithItDelivers() {
        schedule("order-42", QUARTER);
        assertThat(kit.queue("orders")).hasTask("order-42").dueIn(QUARTER);
        kit.advance(QUARTER.minus(MILLI));
        assertThat(journal.entries).isEmpty();
        assertThat(kit.queue("orders")).hasTask("order-42").dueIn(MILLI);
        kit.advance(MILLI);
        assertThat(journal.entries).containsExactly("order-42 at " + begin.plus(QUARTER));
        assertThat(kit.queue("orders")).hasNoTask("order-42");
    }

    @Test
    void timeWhenNobodyMovesItStandsStill() {
        schedule("order-1", Duration.ofMillis(50));
        await().during(Duration.ofMillis(400)).until(() -> journal.entries.isEmpty());
        assertThat(kit.now()).isEqualTo(begin);
        assertThat(kit.clock().instant()).isEqualTo(begin);
        assertThat(admin.now("orders")).isEqualTo(begin);
        assertThat(kit.queue("orders")).hasTask("order-1").dueIn(Duration.ofMillis(50));
    }

    @Test
    void taskWhenDueAtOnceIsDeliveredThoughTimeStandsStill() {
        schedule("order-1", Duration.ZERO);
        kit.awaitDelivered("orders", "order-1");
        assertThat(journal.entries).containsExactly("order-1 at " + begin);
        assertThat(kit.queue("orders")).hasNoTasks();
    }

    @Test
    void advanceWhenTasksOfSeveralQueuesBecomeDueDeliversThemInTheOrderOfTheirDueTimes() {
        for (int second = 20; second >= 1; second--) {
            if (second % 2 == 0) {
                schedule("order-" + second, Duration.ofSeconds(second));
            } else {
                tasks.schedule(requestTo("reminders", "reminder-" + second, Duration.ofSeconds(second)));
            }
        }
        kit.advance(Duration.ofMinutes(1));
        assertThat(journal.entries)
                .containsExactlyElementsOf(IntStream.rangeClosed(1, 20)
                        .mapToObj(second -> (second % 2 == 0 ? "order-" : "reminder-") + second + " at "
                                + begin.plusSeconds(second))
                        .toList());
        assertThat(kit.now()).isEqualTo(begin.plusSeconds(60));
    }

    @Test
    void advanceWhenDeliveriesFailTriesThemAgainWithinTheInterval() {
        schedule("order-1", Duration.ofSeconds(5));
        kit.failNext("orders", "order-1", 2);
        kit.advance(Duration.ofSeconds(15).minus(MILLI));
        assertThat(kit.queue("orders"))
                .hasTask("order-1")
                .withFailures(1)
                .dueIn(MILLI)
                .withReasonContaining("The test requested this failure");
        kit.advance(Duration.ofMinutes(1));
        assertThat(journal.entries).containsExactly("order-1 at " + begin.plusSeconds(5 + 10 + 20));
        assertThat(kit.queue("orders")).hasNoTasks().hasNoDeadTasks();
    }

    @Test
    void advanceWhenATaskIsOutOfAttemptsLeavesItDead() {
        schedule("order-1", Duration.ofSeconds(5));
        kit.failNext("orders", "order-1", 3);
        kit.advance(Duration.ofMinutes(1));
        assertThat(journal.entries).isEmpty();
        assertThat(kit.queue("orders"))
                .hasNoTasks()
                .hasDeadTasks()
                .hasDeadTaskCount(1)
                .hasDeadTask("order-1")
                .withFailures(3)
                .withPayload("order-1");
        List<ListedTask> dead = kit.deadTasks("orders");
        assertThat(dead).extracting(ListedTask::id).containsExactly("order-1");
        assertThat(dead.get(0).nextAttentionAt()).isEqualTo(begin.plusSeconds(35));
        assertThat(dead.get(0).content()).isPresent();
    }

    @Test
    void advanceWhenAHandlerSchedulesAnotherDeliversItToo() {
        tasks.schedule(request("order-1")
                .payload("then PT30S")
                .dueIn(Duration.ofSeconds(10))
                .build());
        tasks.schedule(request("order-2")
                .payload("then PT0S")
                .dueIn(Duration.ofSeconds(20))
                .build());
        kit.advance(Duration.ofMinutes(1));
        assertThat(journal.entries)
                .containsExactly(
                        "order-1 at " + begin.plusSeconds(10),
                        "order-2 at " + begin.plusSeconds(20),
                        "of order-2 at " + begin.plusSeconds(20),
                        "of order-1 at " + begin.plusSeconds(40));
    }

    @Test
    void advanceWhenATaskIsRepeatedDeliversEachRound() {
        tasks.schedule(requestTo("rounds", "tick", "", Duration.ofMinutes(1)));
        kit.advance(Duration.ofHours(1));
        assertThat(journal.entries)
                .containsExactlyElementsOf(IntStream.rangeClosed(1, 60)
                        .mapToObj(minute -> "tick at " + begin.plus(Duration.ofMinutes(minute)))
                        .toList());
        assertThat(kit.queue("rounds")).hasTask("tick").dueIn(Duration.ofMinutes(1));
    }

    @Test
    void advanceWhenHoursAreClosedDeliversAtTheVeryMomentTheyOpen() {
        Instant opening = kit.now()
                .atZone(ZoneId.of("UTC"))
                .toLocalDate()
                .plusDays(1)
                .atTime(9, 0)
                .atZone(ZoneId.of("UTC"))
                .toInstant();
        kit.advanceTo(opening.minus(Duration.ofHours(4)));
        tasks.schedule(request("order-1")
                .payload("x")
                .dueIn(Duration.ofHours(1))
                .within(DeliveryWindow.parse("09:00-10:00 UTC"))
                .build());
        kit.advanceTo(opening.minus(MILLI));
        assertThat(journal.entries).isEmpty();
        kit.advanceTo(opening);
        assertThat(journal.entries).containsExactly("order-1 at " + opening);
    }

    @Test
    void advanceWhenManyAreDueInOneMillisecondDeliversAll() {
        for (int i = 0; i < 300; i++) {
            schedule("order-" + i, Duration.ofSeconds(1));
        }
        kit.advance(Duration.ofSeconds(1));
        assertThat(journal.entries).hasSize(300).allMatch(entry -> entry.endsWith(" at " + begin.plusSeconds(1)));
        assertThat(kit.queue("orders")).hasNoTasks();
    }

    @Test
    void advanceWhenAQueueIsPausedOrNobodyScansItLeavesItsTasks() {
        admin.pause("orders");
        schedule("order-1", Duration.ofSeconds(1));
        tasks.schedule(requestTo("unheard", "u-1", "", Duration.ofSeconds(1)));
        kit.advance(Duration.ofMinutes(1));
        assertThat(journal.entries).isEmpty();
        assertThat(kit.queue("unheard")).hasTask("u-1").dueAt(begin.plusSeconds(1));
        admin.resume("orders");
        kit.awaitDelivered("orders", "order-1");
        assertThat(journal.entries).containsExactly("order-1 at " + begin.plusSeconds(60));
    }

    @Test
    void advanceWhenAHandlerHangsSaysWhatIsNotSettled() {
        journal.hold = new CountDownLatch(1);
        schedule("order-7", Duration.ofSeconds(1));
        schedule("order-8", Duration.ofSeconds(90));
        try {
            assertThatExceptionOfType(AssertionError.class)
                    .isThrownBy(() -> kit.advance(Duration.ofMinutes(2)))
                    .withMessageContaining("PT2S (delayqueue.test.timeout)")
                    .withMessageContaining("queue 'orders': 1 in progress, 0 due")
                    .withMessageContaining("'order-7' in progress")
                    .withMessageNotContaining("order-8");
            assertThat(kit.now()).isEqualTo(begin.plusSeconds(1));
            assertThat(kit.queue("orders")).hasTask("order-7").isUnderDelivery();
        } finally {
            journal.hold.countDown();
        }
        kit.advance(Duration.ofMinutes(2));
        assertThat(journal.entries)
                .containsExactly("order-7 at " + begin.plusSeconds(1), "order-8 at " + begin.plusSeconds(90));
    }

    @Test
    void awaitDeliveredWhenTheTaskWaitsSaysSo() {
        schedule("order-1", QUARTER);
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> kit.awaitDelivered("orders", "order-1"))
                .withMessageContaining("was not delivered. It waits: due in PT15M");
    }

    @Test
    void awaitDeliveredWhenATaskIsDeliveredTwiceIsSatisfiedByEach() {
        schedule("order-1", Duration.ZERO);
        kit.awaitDelivered("orders", "order-1");
        schedule("order-1", Duration.ofSeconds(1));
        kit.advance(Duration.ofSeconds(1));
        kit.awaitDelivered("orders", "order-1");
        assertThat(journal.entries).hasSize(2);
    }

    @Test
    void awaitDeliveredWhenAdvanceHasWaitedForTheFirstDeliveryWaitsForTheSecondAtTheSecondCall() {
        schedule("order-1", Duration.ofSeconds(1));
        kit.advance(Duration.ofSeconds(1));
        admin.pause("orders");
        schedule("order-1", Duration.ZERO);
        kit.awaitDelivered("orders", "order-1");
        assertThat(journal.entries).hasSize(1);
        admin.resume("orders");
        kit.awaitDelivered("orders", "order-1");
        assertThat(journal.entries).hasSize(2);
    }

    @Test
    void drainWhenTasksWaitDeliversAllOfTheQueueAndLeavesWhatIsLater() {
        schedule("order-1", Duration.ofDays(1));
        schedule("order-2", Duration.ofDays(30));
        tasks.schedule(requestTo("reminders", "reminder", Duration.ofDays(31)));
        kit.drain("orders");
        assertThat(journal.entries)
                .containsExactly(
                        "order-1 at " + begin.plus(Duration.ofDays(1)),
                        "order-2 at " + begin.plus(Duration.ofDays(30)));
        assertThat(kit.now()).isEqualTo(begin.plus(Duration.ofDays(30)));
        assertThat(kit.queue("orders")).hasNoTasks();
        assertThat(kit.queue("reminders")).hasTaskCount(1);
    }

    @Test
    void drainWhenAKeyHoldsTasksBackAdvancesFromTurnToTurn() {
        admin.setKeyLimits("orders", "k", KeyLimits.rate(1, Duration.ofMinutes(1)));
        for (String id : List.of("a", "b", "c")) {
            tasks.schedule(request(id)
                    .key("k")
                    .payload(new Order(id, 1))
                    .dueIn(QUARTER)
                    .build());
        }
        kit.drain("orders");
        assertThat(journal.entries).hasSize(3);
        assertThat(kit.now()).isEqualTo(begin.plus(QUARTER).plusSeconds(120));
        assertThat(kit.queue("orders")).hasNoTasks();
        admin.setKeyLimits("orders", "k", KeyLimits.NONE);
    }

    @Test
    void drainWhenAKeyIsClosedWithoutAnEndSaysSo() {
        admin.closeKey("orders", "k", Instant.MAX);
        tasks.schedule(
                request("a").key("k").payload(new Order("a", 1)).dueIn(QUARTER).build());
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> kit.drain("orders"))
                .withMessageContaining("Queue 'orders' cannot be drained: the key of a task is closed without an end");
        admin.openKey("orders", "k");
        kit.awaitDelivered("orders", "{k}:a");
    }

    @Test
    void drainWhenAHandlerPausesTheQueueSaysSo() {
        schedule("order-1", Duration.ofSeconds(1));
        schedule("order-2", Duration.ofSeconds(2));
        schedule("order-3", Duration.ofSeconds(3));
        journal.meanwhile = () -> admin.pause("orders");
        try {
            assertThatExceptionOfType(AssertionError.class)
                    .isThrownBy(() -> kit.drain("orders"))
                    .withMessage("Queue 'orders' cannot be drained: it is paused");
        } finally {
            journal.meanwhile = () -> {};
            kit.reset();
        }
    }

    @Test
    void advanceWhenAPauseEndsInBetweenDeliversAtItsEnd() {
        admin.pause("orders", "ada", "deploy", Duration.ofMinutes(10));
        schedule("order-1", Duration.ofMinutes(5));
        kit.advance(Duration.ofHours(1));
        assertThat(journal.entries).containsExactly("order-1 at " + begin.plus(Duration.ofMinutes(10)));
    }

    @Test
    void resetWhenCalledEmptiesTheQueuesAndForgetsWhatWasToFail() {
        admin.pause("orders");
        schedule("order-1", Duration.ZERO);
        kit.failNext("orders", "order-1", 1);
        kit.reset();
        assertThat(kit.queue("orders")).hasNoTasks();
        schedule("order-1", Duration.ZERO);
        kit.awaitDelivered("orders", "order-1");
    }

    @Test
    void assertionsWhenTheyFailSayWhatIsThereInstead() {
        tasks.schedule(request("order-1")
                .payload(new Order("order-1", 3))
                .dueIn(QUARTER)
                .header("tenant", "acme")
                .build());
        assertThat(kit.queue("orders"))
                .hasTask("order-1")
                .withPayload(new Order("order-1", 3))
                .withPayloadSatisfying(
                        Order.class, order -> assertThat(order.items()).isEqualTo(3))
                .withHeader("tenant", "acme")
                .withFailures(0)
                .dueAt(begin.plus(QUARTER));
        fails(() -> assertThat(kit.queue("orders")).hasTask("order-2"))
                .withMessageContaining("Expected queue 'orders' to have a task 'order-2', but it has")
                .withMessageContaining("'order-1' due in PT15M at " + begin.plus(QUARTER))
                .withMessageContaining("The queues' clock is at " + begin);
        fails(() -> assertThat(kit.queue("reminders")).hasTask("order-2"))
                .withMessageContaining("Expected queue 'reminders' to have a task 'order-2', but it is empty.");
        fails(() -> assertThat(kit.queue("orders")).hasNoTask("order-1")).withMessageContaining("'order-1' due in");
        fails(() -> assertThat(kit.queue("orders")).hasNoTasks())
                .withMessageContaining("Expected queue 'orders' to have 0 task(s) and not 1");
        fails(() -> assertThat(kit.queue("orders")).hasDeadTasks())
                .withMessageContaining("to have dead tasks, but it has");
        fails(() -> assertThat(kit.queue("orders")).hasDeadTask("order-1"))
                .withMessageContaining("to have a dead task 'order-1'");
        fails(() -> assertThat(kit.queue("orders")).hasTask("order-1").dueIn(Duration.ofMinutes(14)))
                .withMessageContaining("to be due in PT14M, but it is due in PT15M");
        fails(() -> assertThat(kit.queue("orders")).hasTask("order-1").dueAt(begin))
                .withMessageContaining("to be due at " + begin);
        fails(() -> assertThat(kit.queue("orders")).hasTask("order-1").withPayload(new Order("order-1", 4)))
                .withMessageContaining("Order[id=order-1, items=4]")
                .withMessageContaining("Order[id=order-1, items=3]");
        fails(() -> assertThat(kit.queue("orders")).hasTask("order-1").withHeader("tenant", "other"))
                .withMessageContaining("tenant=acme");
        fails(() -> assertThat(kit.queue("orders")).hasTask("order-1").isUnderDelivery())
                .withMessageContaining("but it is SCHEDULED");
    }

    @Test
    void dueWhenTheTaskIsUnderDeliverySaysSoInsteadOfTheEndOfItsLease() {
        journal.hold = new CountDownLatch(1);
        schedule("order-1", Duration.ZERO);
        try {
            await().until(() -> !journal.entries.isEmpty());
            fails(() -> assertThat(kit.queue("orders")).hasTask("order-1").dueIn(Duration.ZERO))
                    .withMessage(
                            "Expected task 'order-1' of queue 'orders' to be due in PT0S, but it is in " + "progress");
            fails(() -> assertThat(kit.queue("orders")).hasTask("order-1").dueAt(begin))
                    .withMessageEndingWith("to be due at " + begin + ", but it is in progress");
            fails(() -> assertThat(kit.queue("orders")).hasTask("order-1").dueAt(nextAttention("order-1")))
                    .withMessageEndingWith("but it is in progress");
        } finally {
            journal.hold.countDown();
        }
    }

    @Test
    void dueWhenTheTaskIsDeadSaysSoAlsoAtTheMomentOfItsDeath() {
        kit.failNext("orders", "order-1", 3);
        schedule("order-1", Duration.ZERO);
        kit.advance(Duration.ofMinutes(1));
        Instant death = begin.plusSeconds(30);
        fails(() -> assertThat(kit.queue("orders")).hasDeadTask("order-1").dueAt(death))
                .withMessage("Expected task 'order-1' of queue 'orders' to be due at " + death
                        + ", but it is dead since " + death);
        fails(() -> assertThat(kit.queue("orders")).hasDeadTask("order-1").dueIn(Duration.between(kit.now(), death)))
                .withMessageEndingWith("but it is dead since " + death);
    }

    @Test
    void clockWhenItHasAZoneMovesToo() {
        Clock berlin = kit.clock().withZone(ZoneId.of("Europe/Berlin"));
        kit.advance(Duration.ofHours(5));
        assertThat(berlin.instant()).isEqualTo(begin.plus(Duration.ofHours(5)));
        assertThat(berlin.getZone()).isEqualTo(ZoneId.of("Europe/Berlin"));
    }

    private static org.assertj.core.api.ThrowableAssertAlternative<AssertionError> fails(Runnable assertion) {
        return assertThatExceptionOfType(AssertionError.class).isThrownBy(assertion::run);
    }

    private Instant nextAttention(String id) {
        return tasks.find("orders", id).orElseThrow().nextAttentionAt();
    }

    private void schedule(String id, Duration delay) {
        tasks.schedule(request(id).payload(id).dueIn(delay).build());
    }

    private static ScheduleRequest.Builder<Object> request(String id) {
        return ScheduleRequest.to("orders").id(id);
    }

    record Order(String id, int items) {}
}
