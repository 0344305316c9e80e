// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.sharding;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.CancelOutcome;
import io.delayqueue.ConflictPolicy;
import io.delayqueue.DueTime;
import io.delayqueue.RescheduleOutcome;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.TaskIds;
import io.delayqueue.client.ClientOptions;
import io.delayqueue.client.DelayQueueTemplate;
import io.delayqueue.codec.JacksonPayloadCodec;
import io.delayqueue.codec.PayloadCodecs;
import io.delayqueue.delivery.TaskContent;
import io.delayqueue.internal.admin.RedriveProcess;
import io.delayqueue.internal.calls.CallThreads;
import io.delayqueue.internal.redis.StoreFixture;
import io.delayqueue.internal.store.NewTask;
import io.delayqueue.internal.store.SendPermit;
import io.delayqueue.queue.QueueCatalog;
import io.delayqueue.queue.TaskLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** Calls by the id of a task that is not there, or not where its id belongs. */
class MissedTasksIntegrationTests {

    private static final String QUEUE = "orders";
    private static final int SHARDS = 64;
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private final StoreFixture redis = new StoreFixture(TIMEOUT);
    private final QueueCatalog queues = RedriveProcess.queues(QUEUE, SHARDS);
    private final DelayQueueTemplate template = process();

    private DelayQueueTemplate process() {
        return process(redis);
    }

    private DelayQueueTemplate process(StoreFixture on) {
        return new DelayQueueTemplate(
                on.store(),
                queues,
                QueueLayouts.fixed(queues),
                new PayloadCodecs(List.of(new JacksonPayloadCodec(new JsonMapper()))),
                TaskLimits.DEFAULT,
                new ClientOptions(TIMEOUT, 10_000));
    }

    @AfterEach
    void close() {
        redis.close();
    }

    private static ScheduleRequest.Builder request(String id) {
        return ScheduleRequest.to(QUEUE).id(id).payload("x").delay(Duration.ofHours(1));
    }

    /** A key that chose the shard and is no part of the id. */
    private void scheduleAsEarlierBuildsDid(StoreFixture on, String id, String shardKey) {
        NewTask task = new NewTask(
                id,
                new byte[16],
                DueTime.after(Duration.ofHours(1)),
                ConflictPolicy.REPLACE,
                new TaskContent("text/plain;charset=UTF-8", Map.of(), new byte[] {'x'}, shardKey));
        new ShardedTasks(on.store(), QueueLayouts.fixed(queues), TIMEOUT, new CallThreads())
                .schedule(QUEUE, List.of(task), new SendPermit(), (stored, reply) -> {})
                .join();
    }

    private List<CancelOutcome> cancelAbsentOnes(int count) {
        List<CompletableFuture<CancelOutcome>> calls = IntStream.range(0, count)
                .mapToObj(i -> template.cancelAsync(QUEUE, "absent-" + i).toCompletableFuture())
                .toList();
        return calls.stream().map(CompletableFuture::join).toList();
    }

    @Test
    void cancelWhenNoTaskHasAShardKeyOfItsOwnAsksTheHomesOnly() {
        template.schedule(request("there").build());
        cancelAbsentOnes(1);
        long before = redis.scriptCalls();

        assertThat(cancelAbsentOnes(200)).containsOnly(CancelOutcome.NOT_FOUND);

        // Each asks its home; they share the question whether there are shard keys.
        assertThat(redis.scriptCalls() - before).isBetween(201L, 400L);
        assertThat(template.reschedule(QUEUE, "absent", Duration.ofHours(2))).isEqualTo(RescheduleOutcome.NOT_FOUND);
        assertThat(template.find(QUEUE, "absent", String.class)).isEmpty();
        assertThat(redis.scriptCalls() - before).isLessThan(410);
    }

    @Test
    void cancelWhenAnotherProcessJustBeganToUseShardKeysFindsItsTask() {
        assertThat(template.cancel(QUEUE, "absent")).isEqualTo(CancelOutcome.NOT_FOUND);

        scheduleAsEarlierBuildsDid(redis, "a", "customer-7");

        assertThat(template.find(QUEUE, "a", String.class)).isPresent();
        assertThat(template.reschedule(QUEUE, "a", Duration.ofHours(2))).isEqualTo(RescheduleOutcome.RESCHEDULED);
        assertThat(template.cancel(QUEUE, "a")).isEqualTo(CancelOutcome.CANCELLED);
        assertThat(template.cancel(QUEUE, "a")).isEqualTo(CancelOutcome.NOT_FOUND);
    }

    @Test
    void cancelWhenOthersMissMeanwhileFindsEachTaskWhoseScheduleHasReturned() {
        for (int round = 0; round < 10; round++) {
            StoreFixture other = new StoreFixture(TIMEOUT);
            try {
                DelayQueueTemplate caller = process(other);
                List<CompletableFuture<CancelOutcome>> misses = new ArrayList<>();
                for (int i = 0; i < 20; i++) {
                    misses.add(caller.cancelAsync(QUEUE, "absent-" + i).toCompletableFuture());
                }
                scheduleAsEarlierBuildsDid(other, "a", "customer-7");
                assertThat(caller.cancel(QUEUE, "a")).isEqualTo(CancelOutcome.CANCELLED);
                assertThat(misses).allSatisfy(miss -> assertThat(miss.join()).isEqualTo(CancelOutcome.NOT_FOUND));
            } finally {
                other.close();
            }
        }
    }

    @Test
    void cancelWhenTheQueueUsesShardKeysAsksAllShardsAFewAtATime() {
        scheduleAsEarlierBuildsDid(redis, "keyed", "customer-7");

        assertThat(cancelAbsentOnes(200)).containsOnly(CancelOutcome.NOT_FOUND);

        assertThat(template.cancel(QUEUE, "keyed")).isEqualTo(CancelOutcome.CANCELLED);
    }

    @Test
    void callsWhenTheIdTellsTheShardKeyAreOneEach() {
        template.schedule(request("warm").build());
        long before = redis.scriptCalls();
        for (int i = 0; i < 10; i++) {
            template.schedule(request("t" + i).shardKey("customer-" + i).build());
        }
        assertThat(redis.scriptCalls() - before).isEqualTo(10);
        assertThat(process().cancel(QUEUE, TaskIds.withShardKey("customer-3", "t3")))
                .isEqualTo(CancelOutcome.CANCELLED);
        assertThat(redis.scriptCalls() - before).isEqualTo(11);
    }
}
