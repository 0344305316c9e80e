// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.memory;

import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.client.ClientOptions;
import io.delayqueue.client.DelayQueueTemplate;
import io.delayqueue.codec.JacksonPayloadCodec;
import io.delayqueue.codec.PayloadCodecs;
import io.delayqueue.internal.admin.TaskStoreAdmin;
import io.delayqueue.internal.engine.Engine;
import io.delayqueue.internal.engine.InterceptorChain;
import io.delayqueue.internal.memory.InMemoryTaskStore;
import io.delayqueue.internal.memory.SharedMemory;
import io.delayqueue.internal.sharding.Resizing;
import io.delayqueue.internal.sharding.StoredLayouts;
import io.delayqueue.internal.store.ShardOwnership;
import io.delayqueue.queue.QueueCatalog;
import io.delayqueue.queue.QueueSettings;
import io.delayqueue.queue.TaskLimits;
import io.delayqueue.trigger.TriggerContext;
import java.time.InstantSource;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;

/**
 * Delay queues that are kept in memory, for tests of what schedules and handles tasks. They keep what the documentation
 * promises of tasks in Redis, by the same contract tests, except for what only a server can do: be away, be full, or
 * lose what it has answered. A call that asks for replicas is answered as though they were there.
 *
 * <pre>{@code
 * AtomicReference<Instant> clock = new AtomicReference<>(Instant.now());
 * try (InMemoryDelayQueues queues = new InMemoryDelayQueues(clock::get, QueueSettings.withDefaults("orders"))) {
 *     queues.template().schedule("orders", "order 7", Duration.ofMinutes(30));
 *     clock.set(clock.get().plus(Duration.ofMinutes(30)));
 *     trigger.setTriggerContext(queues.triggerContext());
 *     trigger.scanOnce(10); // delivers it, on this thread
 * }
 * }</pre>
 *
 * <p>A trigger that was started sleeps by the system's clock, and looks again when something is scheduled or at its
 * idle interval: with a clock that a test moves use {@code scanOnce}. Safe for use by many threads.
 */
public final class InMemoryDelayQueues implements AutoCloseable {

    private final DelayQueueTemplate template;
    private final DelayQueueAdmin admin;
    private final StoredLayouts layouts;
    private final Engine engine;
    private final TriggerContext triggerContext;

    /** By the system's clock. */
    public InMemoryDelayQueues(QueueSettings... queues) {
        this(InstantSource.system(), queues);
    }

    /**
     * With payloads as JSON, {@code String} or {@code byte[]}.
     *
     * @param clock says what is due, to microseconds; read in each call, and may be moved at any time
     * @param queues with names that differ
     */
    public InMemoryDelayQueues(InstantSource clock, QueueSettings... queues) {
        SharedMemory memory = new SharedMemory();
        QueueCatalog catalog = new QueueCatalog(List.of(queues));
        InMemoryTaskStore store = new InMemoryTaskStore(memory, clock, catalog::historyLength);
        PayloadCodecs codecs = new PayloadCodecs(List.of(new JacksonPayloadCodec(new JsonMapper())));
        this.layouts = new StoredLayouts(store.layouts(), catalog);
        this.template =
                new DelayQueueTemplate(store, catalog, layouts, codecs, TaskLimits.DEFAULT, ClientOptions.DEFAULT);
        this.admin = new TaskStoreAdmin(store, catalog, layouts, new Resizing(store, layouts));
        this.engine = Engine.over(store, layouts);
        this.triggerContext = new TriggerContext(
                engine, catalog, memory.wakeSignals(), ShardOwnership.EVERYONE, InterceptorChain.EMPTY, false);
    }

    /** Schedules tasks, and finds, reschedules and cancels them. */
    public DelayQueueTemplate template() {
        return template;
    }

    /** Looks after dead tasks, pauses, purges and resizes. */
    public DelayQueueAdmin admin() {
        return admin;
    }

    /** What a trigger is given that is to scan these queues. */
    public TriggerContext triggerContext() {
        return triggerContext;
    }

    /** Ends the threads. Triggers are to be stopped before. */
    @Override
    public void close() {
        engine.close();
        layouts.close();
    }
}
