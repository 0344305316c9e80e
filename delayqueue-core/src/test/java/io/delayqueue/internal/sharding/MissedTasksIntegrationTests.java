// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.sharding;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.CancelOutcome;
import io.delayqueue.Due;
import io.delayqueue.RescheduleOutcome;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.TaskIds;
import io.delayqueue.UpdateOutcome;
import io.delayqueue.admin.RedriveResult;
import io.delayqueue.codec.JacksonPayloadCodec;
import io.delayqueue.internal.admin.RedriveProcess;
import io.delayqueue.internal.admin.TaskStoreAdmin;
import io.delayqueue.internal.client.ClientOptions;
import io.delayqueue.internal.client.DelayQueueTemplate;
import io.delayqueue.internal.codec.PayloadCodecs;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.queue.TaskBounds;
import io.delayqueue.internal.redis.StoreFixture;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.json.JsonMapper;

/** The cost of calls by id in a queue of many shards, above all for ids that do not exist. */
class MissedTasksIntegrationTests {

    private static final String QUEUE = "orders";
    private static final int SHARDS = 48;
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private final StoreFixture redis = new StoreFixture(TIMEOUT);
    private final QueueCatalog queues = RedriveProcess.queues(QUEUE, SHARDS);
    private final Shardings shardings = Shardings.fixed(queues);
    private final DelayQueueTemplate template = new DelayQueueTemplate(
            redis.store(),
            queues,
            shardings,
            new PayloadCodecs(List.of(new JacksonPayloadCodec(new JsonMapper()))),
            TaskBounds.DEFAULT,
            new ClientOptions(TIMEOUT, 10_000));
    private final TaskStoreAdmin admin =
            new TaskStoreAdmin(redis.store(), queues, shardings, new Resharding(redis.store(), shardings));

    private enum Call {
        FIND,
        CANCEL,
        RESCHEDULE,
        UPDATE,
        REDRIVE,
        DISCARD
    }

    @AfterEach
    void close() {
        redis.close();
    }

    private static ScheduleRequest.Builder<Object> request(String id) {
        return ScheduleRequest.to(QUEUE).id(id).payload("x").dueIn(Duration.ofHours(1));
    }

    private void misses(Call call, String id) {
        switch (call) {
            case FIND -> assertThat(template.find(QUEUE, id, String.class)).isEmpty();
            case CANCEL -> assertThat(template.cancel(QUEUE, id)).isEqualTo(CancelOutcome.NOT_FOUND);
            case RESCHEDULE ->
                assertThat(template.reschedule(QUEUE, id, Due.after(Duration.ofHours(2))))
                        .isEqualTo(RescheduleOutcome.NOT_FOUND);
            case UPDATE -> assertThat(template.updatePayload(QUEUE, id, "y")).isEqualTo(UpdateOutcome.NOT_FOUND);
            case REDRIVE -> assertThat(admin.redrive(QUEUE, id)).isFalse();
            case DISCARD -> assertThat(admin.discard(QUEUE, id)).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource(Call.class)
    void callWhenTheTaskIsNotThereRunsOneScript(Call call) {
        template.schedule(request("there").build());
        misses(call, "absent");
        long before = redis.scriptCalls();

        for (int i = 0; i < 10; i++) {
            misses(call, "absent-" + i);
        }

        assertThat(redis.scriptCalls() - before).isEqualTo(10);
    }

    @Test
    void redriveWhenManyIdsAreNotDeadRunsOneScriptForEachOfTheirShards() {
        List<String> absent = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            absent.add(TaskIds.of("customer-" + i % 2, null, "t" + i));
        }
        admin.redrive(QUEUE, absent);
        long before = redis.scriptCalls();

        assertThat(admin.redrive(QUEUE, absent)).isEqualTo(new RedriveResult(0, absent, Optional.empty()));

        assertThat(redis.scriptCalls() - before).isEqualTo(2);
    }

    @Test
    void callsWhenTheIdTellsTheShardKeyRunOneScriptEach() {
        template.schedule(request("warm").build());
        long before = redis.scriptCalls();
        for (int i = 0; i < 10; i++) {
            template.schedule(request("t" + i).key("customer-" + i).build());
        }
        assertThat(redis.scriptCalls() - before).isEqualTo(10);
        assertThat(template.key(QUEUE, "customer-3").task("t3").cancel()).isEqualTo(CancelOutcome.CANCELLED);
        assertThat(redis.scriptCalls() - before).isEqualTo(11);
    }
}
