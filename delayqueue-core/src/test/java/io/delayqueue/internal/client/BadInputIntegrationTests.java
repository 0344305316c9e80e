// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.client;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.delayqueue.BadInput;
import io.delayqueue.BadInput.Case;
import io.delayqueue.DelayQueueException;
import io.delayqueue.Due;
import io.delayqueue.InvalidTaskException;
import io.delayqueue.ListedTask;
import io.delayqueue.LogLines;
import io.delayqueue.PayloadConversionException;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.TaskPage;
import io.delayqueue.TypedQueue;
import io.delayqueue.UnknownQueueException;
import io.delayqueue.admin.TaskQuery;
import io.delayqueue.internal.admin.TaskStoreAdmin;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.trigger.TriggerFixture;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Malicious or mistaken input to the API: rejected with a named reason, before anything is stored. */
class BadInputIntegrationTests {

    private static final String QUEUE = TriggerFixture.QUEUE;
    private static final Shard SHARD = new Shard(QUEUE, 0);
    private static final Duration HOUR = Duration.ofHours(1);

    private static TriggerFixture fixture;
    private static DelayQueueTemplate template;
    private static TypedQueue<String> typed;
    private static TaskStoreAdmin admin;

    private final LogLines log = new LogLines();

    record Order(String id, int amount) {}

    @BeforeAll
    static void open() {
        fixture = new TriggerFixture();
        template = fixture.template();
        typed = template.queue(QUEUE, String.class);
        admin = fixture.redis.admin(fixture.queues());
    }

    @AfterEach
    void nothingIsStoredAndNoLineIsForged() {
        log.close();
        log.assertUnforged();
        assertThat(admin.stats(QUEUE).delayed()).isZero();
        assertThat(fixture.redis.brokenInvariant(SHARD)).isEmpty();
    }

    @AfterAll
    static void close() {
        fixture.close();
    }

    private static ScheduleRequest.Builder<Object> request() {
        return ScheduleRequest.to(QUEUE).payload("x").dueIn(HOUR);
    }

    private static <T extends DelayQueueException> T refused(Class<T> type, ThrowingCallable call) {
        Throwable thrown = catchThrowable(call);
        assertThat(thrown).isInstanceOf(type).hasMessageMatching("[\\x20-\\x7e]{20,1000}");
        LogLines.assertPrintable(thrown.getMessage());
        return type.cast(thrown);
    }

    static List<Case<String>> ids() {
        return BadInput.ids().toList();
    }

    @ParameterizedTest
    @MethodSource("ids")
    void callsWhenTheIdIsBadAreRefused(Case<String> bad) {
        String id = bad.input();
        List<ThrowingCallable> calls = List.of(
                () -> template.schedule(request().id(id).build()),
                () -> template.schedule(request().key(id).build()),
                () -> template.key(QUEUE, id),
                () -> template.scheduleAll(
                        List.of(request().build(), request().id(id).build())),
                () -> typed.schedule(id, "x", Due.after(HOUR)),
                () -> template.cancel(QUEUE, id),
                () -> template.cancelEverywhere(id),
                () -> template.reschedule(QUEUE, id, Due.after(HOUR)),
                () -> template.reschedule(QUEUE, id, Due.at(Instant.now())),
                () -> template.find(QUEUE, id, String.class));

        for (ThrowingCallable call : calls) {
            assertThat(refused(InvalidTaskException.class, call)).hasMessageContaining("Queue 'orders'");
        }
        assertThat(template.async().schedule(request().id(id).build()).toCompletableFuture())
                .failsWithin(HOUR)
                .withThrowableThat()
                .withCauseInstanceOf(InvalidTaskException.class);
        assertThat(template.async().cancel(QUEUE, id).toCompletableFuture())
                .failsWithin(HOUR)
                .withThrowableThat()
                .withCauseInstanceOf(InvalidTaskException.class);
    }

    /**
     * They may name what something else left in a shard, so they are looked for; but never taken for another task's id.
     */
    @ParameterizedTest
    @MethodSource("ids")
    void adminCallsWhenTheIdIsBadTouchNoOtherTask(Case<String> bad) {
        fixture.redis.makeDead(SHARD, List.of("a?", "a", "cafe"));

        List<Predicate<String>> calls = List.of(id -> admin.discard(QUEUE, id), id -> admin.redrive(QUEUE, id));
        for (Predicate<String> call : calls) {
            Throwable thrown =
                    catchThrowable(() -> assertThat(call.test(bad.input())).isFalse());
            if (thrown != null) {
                assertThat(thrown).isInstanceOf(InvalidTaskException.class);
                LogLines.assertPrintable(thrown.getMessage());
            }
        }

        assertThat(admin.stats(QUEUE).dead()).isEqualTo(3);
        admin.purge(QUEUE, QUEUE);
    }

    @Test
    void adminCallsWhenAStoredIdIsBadReachIt() {
        List<String> listed = new ArrayList<>();
        BadInput.storedIds().forEach(bad -> fixture.redis.putDead(SHARD, bad.input(), 1000));

        TaskQuery query = TaskQuery.first(1);
        TaskPage<ListedTask> dead;
        do {
            dead = admin.deadTasks(QUEUE, query);
            dead.content().stream().map(ListedTask::id).forEach(listed::add);
            query = query.after(dead.position());
            assertThat(listed).as("each once").doesNotHaveDuplicates();
        } while (dead.hasNext());

        assertThat(listed).hasSize((int) BadInput.storedIds().count());
        assertThat(admin.discard(QUEUE, listed)).isEqualTo(listed.size());
        assertThat(admin.stats(QUEUE).dead()).isZero();
    }

    static List<Case<String>> queueNames() {
        return BadInput.queueNames().toList();
    }

    @ParameterizedTest
    @MethodSource("queueNames")
    void callsWhenTheQueuesNameIsBadAreRefused(Case<String> bad) {
        String queue = bad.input();
        List<ThrowingCallable> calls = List.of(
                () -> template.schedule(requestTo(queue, "x", HOUR)).id(),
                () -> template.schedule(requestTo(queue, "x", Instant.now())).id(),
                () -> template.scheduleAll(List.of(request().build(), requestTo(queue, "x", HOUR))),
                () -> template.queue(queue, String.class).schedule("a", "x", Due.after(HOUR)),
                () -> template.cancel(queue, "a"),
                () -> template.reschedule(queue, "a", Due.after(HOUR)),
                () -> template.find(queue, "a", String.class),
                () -> admin.stats(queue),
                () -> admin.deadTasks(queue, TaskQuery.first(10)),
                () -> admin.redrive(queue, "a"),
                () -> admin.redrive(queue, List.of("a"), 1),
                () -> admin.redriveAll(queue, 1),
                () -> admin.discard(queue, "a"),
                () -> admin.pause(queue),
                () -> admin.resume(queue),
                () -> admin.purge(queue, queue),
                () -> admin.reshard(queue, 2),
                () -> admin.sharding(queue));
        for (ThrowingCallable call : calls) {
            refused(InvalidTaskException.class, call);
        }
        refused(InvalidTaskException.class, () -> admin.purge(QUEUE, queue));
    }

    @Test
    void callsWhenTheQueueIsNotConfiguredSayWhichAre() {
        assertThat(refused(
                        UnknownQueueException.class,
                        () -> template.schedule(requestTo("Orders", "x", HOUR)).id()))
                .as("names differ by case")
                .hasMessageContaining("Add delayqueue.queues[Orders] and restart")
                .hasMessageContaining("[orders]");
    }

    static List<Case<Map<String, String>>> headers() {
        return BadInput.headers().toList();
    }

    @ParameterizedTest
    @MethodSource("headers")
    void scheduleWhenAHeaderIsBadIsRefused(Case<Map<String, String>> bad) {
        refused(
                InvalidTaskException.class,
                () -> template.schedule(request().id("a").headers(bad.input()).build()));
    }

    static List<Case<Map<String, String>>> oddHeaders() {
        return BadInput.oddHeaders().toList();
    }

    @ParameterizedTest
    @MethodSource("oddHeaders")
    void scheduleWhenHeadersAreOddKeepsThemAsTheyAre(Case<Map<String, String>> odd) {
        template.schedule(request().id("odd").headers(odd.input()).build());
        assertThat(template.find(QUEUE, "odd", String.class).orElseThrow().headers())
                .isEqualTo(odd.input());
        template.cancel(QUEUE, "odd");
    }

    static List<Case<Object>> payloads() {
        return BadInput.payloads().toList();
    }

    @ParameterizedTest
    @MethodSource("payloads")
    void scheduleWhenThePayloadIsBadIsRefused(Case<Object> bad) {
        refused(
                InvalidTaskException.class,
                () -> template.schedule(request().id("a").payload(bad.input()).build()));
        refused(
                InvalidTaskException.class,
                () -> template.scheduleAll(List.of(
                        request().build(), request().payload(bad.input()).build())));
    }

    @Test
    void scheduleWhenAPayloadIsOddKeepsItAsItIs() {
        for (String text : List.of("caf\u00e9", "cafe\u0301", "\u0000\r\n\ufeff\u202e", "NaN", "\ud800a", "a\udc00")) {
            if (text.codePoints().noneMatch(c -> Character.getType(c) == Character.SURROGATE)) {
                template.schedule(request().id("t").payload(text).build());
                assertThat(template.find(QUEUE, "t", String.class).orElseThrow().payload())
                        .isEqualTo(text);
            }
            template.schedule(request().id("t").payload(new Order(text, 1)).build());
            assertThat(template.find(QUEUE, "t", Order.class).orElseThrow().payload())
                    .isEqualTo(new Order(text, 1));
        }
        template.cancel(QUEUE, "t");
    }

    static List<Case<Supplier<Due>>> dueTimes() {
        return BadInput.dueTimes().toList();
    }

    @ParameterizedTest
    @MethodSource("dueTimes")
    void dueTimeWhenOutOfRangeIsRefused(Case<Supplier<Due>> bad) {
        refused(InvalidTaskException.class, () -> bad.input().get());
    }

    @Test
    void callsWhenOnlyTheServersClockShowsThatTheDelayIsTooLongAreRefused() {
        refused(
                InvalidTaskException.class,
                () -> template.schedule(
                        request().due(BadInput.TOO_LATE_ON_THE_SERVER).build()));
        template.schedule(request().id("a").build());
        refused(
                InvalidTaskException.class,
                () -> template.reschedule(
                        QUEUE, "a", Due.after(Duration.ofMillis(BadInput.TOO_LATE_ON_THE_SERVER.millis()))));
        template.cancel(QUEUE, "a");
    }

    static List<Case<Due>> passedTimes() {
        return BadInput.passedTimes().toList();
    }

    @ParameterizedTest
    @MethodSource("passedTimes")
    void scheduleWhenTheTimeHasPassedIsDueAtOnce(Case<Due> passed) {
        template.schedule(request().id("a").due(passed.input()).build());
        assertThat(admin.stats(QUEUE).ready()).isEqualTo(1);
        template.cancel(QUEUE, "a");
    }

    static List<Case<String>> json() {
        return BadInput.json().toList();
    }

    @ParameterizedTest
    @MethodSource("json")
    void findWhenThePayloadIsHostileMakesNothingOfItAndShowsNothing(Case<String> bad) {
        BadInput.Gadget.MADE.set(false);
        template.schedule(request().id("a").payload(bad.input()).build());
        fixture.redis.makeJson(SHARD, "a");

        for (Class<?> type : List.of(Order.class, BadInput.Gadget[].class)) {
            Throwable thrown = catchThrowable(() -> template.find(QUEUE, "a", type));
            assertThat(thrown).isInstanceOf(PayloadConversionException.class).hasNoCause();
            LogLines.assertPrintable(thrown.getMessage());
        }
        assertThat(BadInput.Gadget.MADE).isFalse();
        assertThatExceptionOfType(PayloadConversionException.class)
                .isThrownBy(() -> template.find(QUEUE, "a", Order.class))
                .withMessageContaining("Order");
        template.cancel(QUEUE, "a");
    }
}
