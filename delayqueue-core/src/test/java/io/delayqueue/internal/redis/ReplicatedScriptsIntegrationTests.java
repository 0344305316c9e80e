// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.ConflictPolicy;
import io.delayqueue.Due;
import io.delayqueue.TaskContent;
import io.delayqueue.TaskStoreTimeoutException;
import io.delayqueue.internal.calls.SendPermit;
import io.delayqueue.internal.store.NewTask;
import io.delayqueue.internal.store.ScheduleMode;
import io.delayqueue.internal.store.ScheduleReply;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.ShardingVersion;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Calls that wait for a replica that there is not, and for the calls before them. */
class ReplicatedScriptsIntegrationTests {

    private static final Shard SHARD = new Shard("orders", 0);
    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final StoreFixture redis = new StoreFixture(TIMEOUT);

    @AfterEach
    void close() {
        redis.close();
    }

    private CompletableFuture<List<ScheduleReply>> schedule(String id, SendPermit permit) {
        NewTask task = new NewTask(
                id,
                new byte[16],
                Due.after(Duration.ofHours(1)),
                ConflictPolicy.REPLACE,
                new TaskContent("text/plain", Map.of(), new byte[0]),
                1);
        return redis.store().tasks().schedule(SHARD, ShardingVersion.NONE, ScheduleMode.EACH, 0, permit, List.of(task));
    }

    /** The connection for calls with replicas is open, and the script is known to the server. */
    private void connect() {
        await().until(() -> schedule("warm", new SendPermit())
                .handle((replies, error) -> error == null)
                .join());
    }

    @Test
    void scheduleWhenItWaitsForTheRoundBeforeItMayStillBeWithdrawn() {
        connect();
        redis.holdScripts(TIMEOUT.dividedBy(4));
        SendPermit underWay = new SendPermit();
        SendPermit inLine = new SendPermit();
        CompletableFuture<List<ScheduleReply>> first = schedule("under-way", underWay);
        await().until(redis::isScriptHeld);
        CompletableFuture<List<ScheduleReply>> second = schedule("in-line", inLine);

        assertThat(underWay.withdraw()).isFalse();
        assertThat(inLine.withdraw()).isTrue();

        assertThat(first).succeedsWithin(PATIENCE);
        assertThat(second).failsWithin(PATIENCE);
        assertThat(redis.index(SHARD)).containsKey("under-way").doesNotContainKey("in-line");
    }

    @Test
    void scheduleWhenTheRoundBeforeItIsNotAnsweredInTimeFailsUnsent() {
        connect();
        redis.holdScripts(TIMEOUT.multipliedBy(3));
        CompletableFuture<List<ScheduleReply>> first = schedule("under-way", new SendPermit());
        CompletableFuture<List<ScheduleReply>> second = schedule("in-line", new SendPermit());

        assertThat(first)
                .failsWithin(PATIENCE)
                .withThrowableThat()
                .havingCause()
                .isInstanceOfSatisfying(
                        TaskStoreTimeoutException.class,
                        ex -> assertThat(ex.mayHaveBeenApplied()).isTrue());
        assertThat(second)
                .failsWithin(PATIENCE)
                .withThrowableThat()
                .havingCause()
                .isInstanceOfSatisfying(
                        TaskStoreTimeoutException.class,
                        ex -> assertThat(ex.mayHaveBeenApplied()).isFalse());
    }
}
