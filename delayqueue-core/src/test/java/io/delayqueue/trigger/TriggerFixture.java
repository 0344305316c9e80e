// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.trigger;

import io.delayqueue.codec.JacksonPayloadCodec;
import io.delayqueue.delivery.Delivery;
import io.delayqueue.delivery.Outcome;
import io.delayqueue.delivery.TaskDeath;
import io.delayqueue.delivery.TaskDestination;
import io.delayqueue.handler.RetrySettings;
import io.delayqueue.internal.client.DelayQueueTemplate;
import io.delayqueue.internal.codec.PayloadCodecs;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.engine.DeliveryCounter;
import io.delayqueue.internal.engine.DeliveryEvents;
import io.delayqueue.internal.engine.Engine;
import io.delayqueue.internal.engine.EngineHooks;
import io.delayqueue.internal.engine.InterceptorChain;
import io.delayqueue.internal.queue.DeadSettings;
import io.delayqueue.internal.queue.LimitSettings;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.queue.QueueSettings;
import io.delayqueue.internal.queue.QueueSettingsBuilder;
import io.delayqueue.internal.queue.TaskBounds;
import io.delayqueue.internal.queue.TimingSettings;
import io.delayqueue.internal.queue.TriggerSettings;
import io.delayqueue.internal.redis.StoreFixture;
import io.delayqueue.internal.sharding.Sharding;
import io.delayqueue.internal.sharding.Shardings;
import io.delayqueue.internal.store.WakeSignals;
import io.delayqueue.internal.trigger.TriggerContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import tools.jackson.databind.json.JsonMapper;

/** A queue on a real Redis, and triggers for it that a test starts. */
public final class TriggerFixture implements AutoCloseable {

    public static final String QUEUE = "orders";

    public final StoreFixture redis = new StoreFixture();
    /** The deaths that the engine has reported; safe to read at any time. */
    public final List<TaskDeath> deaths = new CopyOnWriteArrayList<>();

    /** The starts and outcomes that meters count, such as "first orders-7" or "FAILED orders-7". */
    public final Queue<String> counted = new ConcurrentLinkedQueue<>();

    final Engine engine = new Engine(
            redis.store(),
            Shardings.fixed(queue -> Sharding.initial(queues().get(queue).shards())),
            new Scheduler(),
            new EngineHooks(new DeliveryEvents(List.of(new Counter())), deaths::add, null));
    private final List<ScanTrigger> triggers = new ArrayList<>();

    public List<String> moreQueues = List.of();
    public int shards = 1;
    public int threads = 4;
    public int batchSize = 50;
    public Set<Class<? extends Throwable>> excludes = Set.of();
    public int maxAttempts = 3;
    public int stackTraceSize;
    public int maxLeaseExpiries = 3;
    public Duration lease = Duration.ofSeconds(30);
    public Duration maxIdleInterval = Duration.ofSeconds(60);
    public Duration shutdownTimeout = Duration.ofSeconds(5);
    public InterceptorChain interceptors = InterceptorChain.EMPTY;
    public WakeSignals wakeSignals = redis.wakeSignals();
    /** How fast tasks are delivered. */
    public LimitSettings limits = LimitSettings.NONE;

    public DeadSettings dead = DeadSettings.KEEP_ALL;
    public TimingSettings timing = TimingSettings.NONE;

    public QueueCatalog queues() {
        RetrySettings retry =
                new RetrySettings(maxAttempts - 1, Duration.ofMillis(50), 2, Duration.ofMillis(200), 0.2, excludes);
        TriggerSettings trigger = new TriggerSettings(true, threads, null, batchSize, maxIdleInterval, shutdownTimeout);
        List<QueueSettings> queues = new ArrayList<>();
        QueueSettings others = QueueSettingsBuilder.of(QUEUE)
                .shards(shards)
                .lease(lease)
                .maxLeaseExpiries(maxLeaseExpiries)
                .retry(retry)
                .trigger(trigger)
                .limits(limits)
                .stackTraceSize(stackTraceSize)
                .build();
        queues.add(QueueSettingsBuilder.of(others).dead(dead).timing(timing).build());
        moreQueues.forEach(name -> queues.add(QueueSettingsBuilder.of(name)
                .shards(shards)
                .lease(lease)
                .maxLeaseExpiries(maxLeaseExpiries)
                .retry(retry)
                .trigger(trigger)
                .build()));
        return new QueueCatalog(queues);
    }

    public DelayQueueTemplate template() {
        return new DelayQueueTemplate(redis.store(), queues(), codecs(), TaskBounds.DEFAULT);
    }

    public TriggerContext context() {
        return new TriggerContext(engine, queues(), wakeSignals, interceptors, false);
    }

    public PayloadCodecs codecs() {
        return new PayloadCodecs(List.of(new JacksonPayloadCodec(new JsonMapper())));
    }

    ScanTrigger trigger(TaskDestination destination) {
        ScanTrigger trigger = new ScanTrigger(QUEUE) {
            @Override
            protected TaskDestination createDestination() {
                return destination;
            }
        };
        trigger.setBeanFactory(TestBeans.of(context()));
        triggers.add(trigger);
        return trigger;
    }

    ScanTrigger start(TaskDestination destination) {
        ScanTrigger trigger = trigger(destination);
        trigger.start();
        return trigger;
    }

    private final class Counter implements DeliveryCounter {

        @Override
        public void begun(Delivery delivery, String destination, boolean first) {
            counted.add((first ? "first " : "later ") + delivery.id());
        }

        @Override
        public void ended(Delivery delivery, String destination, Outcome.Kind ending, boolean leaseLost) {
            counted.add(ending + " " + delivery.id());
        }
    }

    @Override
    public void close() {
        triggers.forEach(ScanTrigger::destroy);
        engine.close();
        redis.close();
    }
}
