// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.Due;
import io.delayqueue.EncodedPayload;
import io.delayqueue.RescheduleOutcome;
import io.delayqueue.TaskState;
import io.delayqueue.UpdateOutcome;
import io.delayqueue.internal.store.AcquiredTask;
import io.delayqueue.internal.store.Page;
import io.delayqueue.internal.store.PageRequest;
import io.delayqueue.internal.store.Position;
import io.delayqueue.internal.store.Settlement;
import io.delayqueue.internal.store.ShardingVersion;
import io.delayqueue.internal.store.StoreCalls;
import io.delayqueue.internal.store.TaskUpdate;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Looking at tasks that wait for the end of a delivery of their id, and acting on them. */
abstract class LiveOrderContract extends StoreContract {

    private static final Position BEGIN = Position.from(Instant.EPOCH);

    LiveOrderContract(ContractStore kept) {
        super(kept);
    }

    /** Stores a task that waits for the end of a delivery of the one before; returns the token of that delivery. */
    private long scheduleDuringADelivery(long due) {
        schedule("a", 1, now - MINUTE);
        long token = lease("a");
        schedule("a", 2, due);
        return token;
    }

    private Page page(Position after, int limit) {
        Instant before = Instant.ofEpochMilli(now + 60 * MINUTE);
        return get(
                store.shards().page(SHARD, PageRequest.live(limit).after(after).before(before)));
    }

    private UpdateOutcome update(String id, String payload) {
        byte[] bytes = payload.getBytes(StandardCharsets.UTF_8);
        TaskUpdate update = new TaskUpdate(new EncodedPayload("application/json", bytes), Map.of());
        return get(StoreCalls.update(store, SHARD, ShardingVersion.NONE, id, update));
    }

    private RescheduleOutcome deliverNow(String id) {
        return get(StoreCalls.reschedule(store, SHARD, ShardingVersion.NONE, id, Due.after(Duration.ZERO)));
    }

    private List<String> acquired() {
        return acquire(100).tasks().stream().map(AcquiredTask::id).toList();
    }

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

        assertThat(deliverNow("a")).isEqualTo(RescheduleOutcome.IN_FLIGHT);

        assertThat(acquired()).isEmpty();
        settle(Settlement.ack("a", token));
        assertThat(acquired()).containsExactly("a");
    }
}
