// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.ScheduleRequest;
import io.delayqueue.ScheduleResult;
import io.delayqueue.TaskOutcome;
import io.delayqueue.codec.JacksonPayloadCodec;
import io.delayqueue.codec.PayloadCodecs;
import io.delayqueue.internal.redis.StoreFixture;
import io.delayqueue.internal.sharding.QueueLayouts;
import io.delayqueue.internal.store.AcquireRequest;
import io.delayqueue.internal.store.AcquiredTask;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.queue.OrderSettings;
import io.delayqueue.queue.QueueCatalog;
import io.delayqueue.queue.QueueSettings;
import io.delayqueue.queue.TaskLimits;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/** Tasks that are due in one millisecond, over several script calls. */
class OrderAmongEqualsIntegrationTests {

    private static final String QUEUE = "orders";
    private static final Instant DUE = Instant.now().minusSeconds(60);

    private final StoreFixture redis = new StoreFixture();
    private final QueueCatalog queues = new QueueCatalog(List.of(
            QueueSettings.builder(QUEUE).order(new OrderSettings(true, false)).build()));
    private final DelayQueueTemplate template = new DelayQueueTemplate(
            redis.store(),
            queues,
            QueueLayouts.fixed(queues),
            new PayloadCodecs(List.of(new JacksonPayloadCodec(new JsonMapper()))),
            TaskLimits.DEFAULT,
            ClientOptions.DEFAULT);
    private final List<String> ids = shuffledIds();

    @AfterEach
    void close() {
        redis.close();
    }

    private static List<String> shuffledIds() {
        List<String> ids =
                new ArrayList<>(IntStream.range(0, 1_500).mapToObj(i -> "t" + i).toList());
        Collections.shuffle(ids, new Random(7));
        return ids;
    }

    private static ScheduleRequest request(String id) {
        return ScheduleRequest.to(QUEUE).id(id).payload(id).dueAt(DUE).build();
    }

    private List<String> acquired() {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            all.addAll(redis
                    .store()
                    .leases()
                    .acquire(new Shard(QUEUE, 0), new AcquireRequest(500, Duration.ofMinutes(1), 10, 1 << 20, 500))
                    .join()
                    .tasks()
                    .stream()
                    .map(AcquiredTask::id)
                    .toList());
        }
        return all;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void scheduleAllWhenTheTasksAreEqualsKeepsTheOrderOfTheList(boolean scriptsAreLost) {
        if (scriptsAreLost) {
            redis.loseScripts();
        }

        assertThat(template.scheduleAll(ids.stream()
                        .map(OrderAmongEqualsIntegrationTests::request)
                        .toList()))
                .allMatch(TaskOutcome::isStored);

        assertThat(acquired()).isEqualTo(ids);
    }

    @Test
    void scheduleAsyncWhenTheTasksAreEqualsKeepsTheOrderOfTheCalls() {
        List<CompletionStage<ScheduleResult>> stages =
                ids.stream().map(id -> template.scheduleAsync(request(id))).toList();
        stages.forEach(stage -> stage.toCompletableFuture().join());

        assertThat(acquired()).isEqualTo(ids);
    }
}
