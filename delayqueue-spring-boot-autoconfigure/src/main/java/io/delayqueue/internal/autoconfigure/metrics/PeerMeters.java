// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.metrics;

import io.delayqueue.internal.autoconfigure.trigger.PeerWatch;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.sharding.Shardings;
import io.delayqueue.internal.store.ShardOwnership;
import io.delayqueue.internal.store.WakeSignals;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Meters of the cooperation of a queue's processes: wake messages, and the shards that this process owns. */
final class PeerMeters implements PeerWatch, MeterBinder {

    static final String WAKE_MESSAGES = "delayqueue.wake.messages";
    static final String SHARDS_OWNED = "delayqueue.shards.owned";

    private final Shardings shardings;
    private final Map<String, Heard> heard = new LinkedHashMap<>();
    private final Map<String, ShardOwnership.Membership> memberships = new ConcurrentHashMap<>();

    PeerMeters(QueueCatalog queues, Shardings shardings) {
        this.shardings = shardings;
        queues.names().forEach(queue -> heard.put(queue, new Heard()));
    }

    @Override
    public WakeSignals onSignals(WakeSignals signals) {
        return (queue, listener) -> {
            Heard counts = heard.get(queue);
            return signals.listen(queue, (counts == null) ? listener : new Counting(listener, counts));
        };
    }

    @Override
    public ShardOwnership onOwnership(ShardOwnership ownership) {
        return (queue, onChange) -> {
            ShardOwnership.Membership joined = ownership.join(queue, onChange);
            memberships.put(queue, joined);
            return new ShardOwnership.Membership() {

                @Override
                public boolean owns(int shard) {
                    return joined.owns(shard);
                }

                @Override
                public void close() {
                    memberships.remove(queue, joined);
                    joined.close();
                }
            };
        };
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        heard.forEach((queue, counts) -> {
            counts.kinds()
                    .forEach((kind, count) -> FunctionCounter.builder(WAKE_MESSAGES, count, LongAdder::doubleValue)
                            .description("Messages received from Redis and from other processes")
                            .tags("queue", queue, "kind", kind)
                            .register(registry));
            Gauge.builder(SHARDS_OWNED, this, meters -> meters.owned(queue))
                    .description("Shards that this process owns")
                    .tag("queue", queue)
                    .register(registry);
        });
    }

    private double owned(String queue) {
        ShardOwnership.@Nullable Membership membership = memberships.get(queue);
        if (membership == null) {
            return 0;
        }
        return IntStream.range(0, shardings.of(queue).span())
                .filter(membership::owns)
                .count();
    }

    private record Heard(LongAdder wakes, LongAdder wakeAlls, LongAdder shardings, LongAdder helps) {

        Heard() {
            this(new LongAdder(), new LongAdder(), new LongAdder(), new LongAdder());
        }

        Map<String, LongAdder> kinds() {
            return Map.of("wake", wakes, "wake_all", wakeAlls, "sharding", shardings, "help", helps);
        }
    }

    private record Counting(WakeSignals.Listener listener, Heard counts) implements WakeSignals.Listener {

        @Override
        public void wake(int shard) {
            counts.wakes().increment();
            listener.wake(shard);
        }

        @Override
        public void wakeAll() {
            counts.wakeAlls().increment();
            listener.wakeAll();
        }

        @Override
        public void shardingChanged() {
            counts.shardings().increment();
            listener.shardingChanged();
        }

        @Override
        public void help(int shard) {
            counts.helps().increment();
            listener.help(shard);
        }

        @Override
        public void endDelivery(String id, Runnable ended) {
            listener.endDelivery(id, ended);
        }
    }
}
