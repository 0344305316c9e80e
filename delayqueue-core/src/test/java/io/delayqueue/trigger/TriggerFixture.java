// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.trigger;

import io.delayqueue.client.DelayQueueTemplate;
import io.delayqueue.codec.JacksonPayloadCodec;
import io.delayqueue.codec.PayloadCodecs;
import io.delayqueue.engine.Settler;
import io.delayqueue.engine.TaskDestination;
import io.delayqueue.queue.QueueCatalog;
import io.delayqueue.queue.QueueSettings;
import io.delayqueue.queue.RetryPolicy;
import io.delayqueue.queue.TaskLimits;
import io.delayqueue.queue.TriggerSettings;
import io.delayqueue.redis.StoreFixture;
import io.delayqueue.store.WakeSignals;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;

/** A queue on a real Redis, and triggers for it that a test starts. */
final class TriggerFixture implements AutoCloseable {

    static final String QUEUE = "orders";

    final StoreFixture redis = new StoreFixture();
    final Settler settler = new Settler(redis.store());
    private final List<ScanTrigger> triggers = new ArrayList<>();

    int shards = 1;
    int threads = 4;
    int batchSize = 50;
    int maxAttempts = 3;
    Duration lease = Duration.ofSeconds(30);
    Duration backStop = Duration.ofSeconds(60);
    Duration closeTimeout = Duration.ofSeconds(5);
    WakeSignals wakeSignals = redis.wakeSignals();

    QueueCatalog queues() {
        RetryPolicy retry = new RetryPolicy(maxAttempts, Duration.ofMillis(50), 2, Duration.ofMillis(200), 0.2);
        TriggerSettings trigger = new TriggerSettings(true, threads, null, batchSize, backStop, closeTimeout);
        return new QueueCatalog(List.of(new QueueSettings(QUEUE, shards, "json", lease, 3, retry, trigger)));
    }

    DelayQueueTemplate template() {
        PayloadCodecs codecs = new PayloadCodecs(List.of(new JacksonPayloadCodec(new JsonMapper())));
        return new DelayQueueTemplate(redis.store(), queues(), codecs, TaskLimits.DEFAULT);
    }

    ScanTrigger trigger(TaskDestination destination) {
        ScanTrigger trigger = new ScanTrigger(QUEUE) {
            @Override
            protected TaskDestination createDestination() {
                return destination;
            }
        };
        trigger.setTriggerContext(new TriggerContext(redis.store(), queues(), settler, wakeSignals, false));
        triggers.add(trigger);
        return trigger;
    }

    ScanTrigger start(TaskDestination destination) {
        ScanTrigger trigger = trigger(destination);
        trigger.start();
        return trigger;
    }

    @Override
    public void close() {
        triggers.forEach(ScanTrigger::destroy);
        settler.close();
        redis.close();
    }
}
