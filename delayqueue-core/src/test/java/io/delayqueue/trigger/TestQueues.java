// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.trigger;

import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.codec.JacksonPayloadCodec;
import io.delayqueue.internal.admin.TaskStoreAdmin;
import io.delayqueue.internal.client.ClientOptions;
import io.delayqueue.internal.client.DelayQueueTemplate;
import io.delayqueue.internal.codec.PayloadCodecs;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.engine.Engine;
import io.delayqueue.internal.engine.EngineHooks;
import io.delayqueue.internal.engine.InterceptorChain;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.queue.QueueSettings;
import io.delayqueue.internal.queue.TaskBounds;
import io.delayqueue.internal.redis.StoreFixture;
import io.delayqueue.internal.sharding.Resharding;
import io.delayqueue.internal.sharding.Shardings;
import io.delayqueue.internal.store.QueueClock;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.TaskStore;
import io.delayqueue.internal.trigger.TriggerContext;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;

/** Queues on the shared embedded Redis with separate keys, without a Spring context. */
public final class TestQueues implements AutoCloseable {

    private final StoreFixture redis;
    private final Shardings shardings;
    private final DelayQueueTemplate template;
    private final DelayQueueAdmin admin;
    private final Engine engine;
    private final TriggerContext triggerContext;

    /** Creates queues on the server's clock. */
    public TestQueues(QueueSettings... queues) {
        this(QueueClock.SERVERS, queues);
    }

    /** Creates queues on a clock that stands still until the test moves it. */
    public TestQueues(QueueClock clock, QueueSettings... queues) {
        QueueCatalog catalog = new QueueCatalog(List.of(queues));
        PayloadCodecs codecs = new PayloadCodecs(List.of(new JacksonPayloadCodec(new JsonMapper())));
        this.redis = new StoreFixture(catalog::historyLength, clock);
        this.shardings = new Shardings(redis.store().shardings(), catalog, new Scheduler());
        this.template = new DelayQueueTemplate(
                redis.store(), catalog, shardings, codecs, TaskBounds.DEFAULT, ClientOptions.DEFAULT);
        this.admin = new TaskStoreAdmin(redis.store(), catalog, shardings, new Resharding(redis.store(), shardings));
        this.engine = new Engine(redis.store(), shardings, new Scheduler(), EngineHooks.NONE);
        this.triggerContext = new TriggerContext(engine, catalog, redis.wakeSignals(), InterceptorChain.EMPTY, false);
    }

    public TaskStore store() {
        return redis.store();
    }

    public DelayQueueTemplate template() {
        return template;
    }

    public DelayQueueAdmin admin() {
        return admin;
    }

    public TriggerContext triggerContext() {
        return triggerContext;
    }

    /** Makes the notes of processes unreadable. */
    public void damageNotes() {
        redis.put("{queues}:queues", "x");
    }

    /** Makes one of a shard's keys unusable for scripts. */
    public void damage(Shard shard, String part) {
        redis.damage(shard, part);
    }

    /** Ends the threads. Destroy triggers before. */
    @Override
    public void close() {
        engine.close();
        shardings.close();
        redis.close();
    }
}
