// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.ConflictPolicy;
import io.delayqueue.DueTime;
import io.delayqueue.EncodedPayload;
import io.delayqueue.RescheduleOutcome;
import io.delayqueue.TaskState;
import io.delayqueue.UpdateOutcome;
import io.delayqueue.internal.store.AcquiredTask;
import io.delayqueue.internal.store.LayoutVersion;
import io.delayqueue.internal.store.NewPayload;
import io.delayqueue.internal.store.NewTask;
import io.delayqueue.internal.store.Page;
import io.delayqueue.internal.store.PageRequest;
import io.delayqueue.internal.store.Position;
import io.delayqueue.internal.store.Settlement;
import io.delayqueue.internal.store.StoredTask;
import io.delayqueue.queue.OrderSettings;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Looking at waiting tasks and acting on them in queues that ask for an order among equals or for one at a time. */
abstract class LiveOrderContract extends StoreContract {

    private static final OrderSettings EQUALS = new OrderSettings(true, false);
    private static final OrderSettings ONE = new OrderSettings(false, true);
    private static final Position BEGIN = Position.from(Instant.EPOCH);

    LiveOrderContract(ContractStore kept) {
        super(kept);
    }

    private void schedule(String id, int request, long due, OrderSettings order) {
        schedule(
                new NewTask(id, requestId(request), at(due), ConflictPolicy.REPLACE, content("p" + request), 0, order));
    }

    private void scheduleEquals(long due, String... ids) {
        for (String id : ids) {
            schedule(id, id.charAt(0), due, EQUALS);
        }
    }

    /** Stores a task that waits for the end of a delivery of the one before; returns the token of that delivery. */
    private long scheduleDuringADelivery(long due) {
        schedule("a", 1, now - MINUTE, ONE);
        long token = lease("a");
        schedule("a", 2, due, ONE);
        return token;
    }

    private Page page(Position after, int limit) {
        Instant before = Instant.ofEpochMilli(now + 60 * MINUTE);
        return get(
                store.shards().page(SHARD, PageRequest.live(limit).after(after).before(before)));
    }

    private UpdateOutcome update(String id, String payload) {
        byte[] bytes = payload.getBytes(StandardCharsets.UTF_8);
        NewPayload update = new NewPayload(new EncodedPayload("application/json", bytes), "");
        return get(store.tasks().update(SHARD, LayoutVersion.NONE, id, update));
    }

    private RescheduleOutcome deliverNow(String id, OrderSettings order) {
        return get(store.tasks().reschedule(SHARD, LayoutVersion.NONE, id, DueTime.after(Duration.ZERO), order));
    }

    private List<String> acquired() {
        return acquire(100).tasks().stream().map(AcquiredTask::id).toList();
    }

    // Among equals

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 500})
    void pageWhenTasksAreEqualsShowsEachOnceInTheirOrder(int limit) {
        scheduleEquals(now + MINUTE, "z", "m", "a", "q", "b");
        List<String> ids = new ArrayList<>();
        Position after = Position.from(Instant.ofEpochMilli(now + MINUTE));
        while (after != null) {
            Page page = page(after, limit);
            page.tasks().forEach(task -> ids.add(task.id()));
            assertThat(page.tasks()).allMatch(task -> task.dueAt().toEpochMilli() == now + MINUTE);
            after = page.next();
        }

        assertThat(ids).containsExactly("z", "m", "a", "q", "b");
        assertThat(page(Position.from(Instant.ofEpochMilli(now + MINUTE + 1)), 10)
                        .tasks())
                .isEmpty();
    }

    @Test
    void pageWhenTheEqualAtWhichItEndedIsGoneShowsTheOthersOfItsMillisecond() {
        scheduleEquals(now + MINUTE, "z", "m", "a");
        Page first = page(BEGIN, 2);
        cancel("m");

        assertThat(page(first.next(), 10).tasks()).extracting(StoredTask::id).containsExactly("z", "a");
    }

    @Test
    void rescheduleWhenEqualsAreDeliveredNowComeAsTheyWereAskedFor() {
        scheduleEquals(now + MINUTE, "a", "m", "z");

        List.of("z", "m", "a").forEach(id -> deliverNow(id, EQUALS));

        assertThat(acquired()).containsExactly("z", "m", "a");
    }

    @Test
    void updateWhenATaskHasEqualsKeepsItsPlace() {
        scheduleEquals(now + MINUTE, "z", "m", "a");

        assertThat(update("m", "{}")).isEqualTo(UpdateOutcome.UPDATED);

        moveClock(2 * MINUTE);
        assertThat(acquired()).containsExactly("z", "m", "a");
    }

    // One at a time

    @ParameterizedTest
    @ValueSource(ints = {-1, 50})
    void pageWhenATaskWaitsForADeliveryTellsItsOwnDueTime(int minutes) {
        long due = now + minutes * MINUTE;
        scheduleDuringADelivery(due);

        assertThat(page(BEGIN, 10).tasks())
                .singleElement()
                .satisfies(task -> assertThat(task.state()).isEqualTo(TaskState.LEASED))
                .satisfies(task -> assertThat(task.dueAt().toEpochMilli()).isEqualTo(due))
                .satisfies(task -> assertThat(task.nextAttentionAt().toEpochMilli())
                        .isEqualTo(state().index().get("a")));
    }

    @Test
    void updateWhenATaskWaitsForADeliveryChangesNothingUntilThatHasEnded() {
        long token = scheduleDuringADelivery(now - MINUTE);

        assertThat(changesNothing(() -> update("a", "{}"))).isEqualTo(UpdateOutcome.IN_FLIGHT);
        settle(Settlement.ack("a", token));
        assertThat(update("a", "{}")).isEqualTo(UpdateOutcome.UPDATED);

        assertThat(acquire(1).tasks().get(0).content().payload()).asString().isEqualTo("{}");
    }

    @Test
    void rescheduleWhenATaskIsToBeDeliveredNowDuringADeliveryWaitsForItsEnd() {
        long token = scheduleDuringADelivery(now + 50 * MINUTE);

        assertThat(deliverNow("a", ONE)).isEqualTo(RescheduleOutcome.IN_FLIGHT);

        assertThat(acquired()).isEmpty();
        settle(Settlement.ack("a", token));
        assertThat(acquired()).containsExactly("a");
    }
}
