// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.redis;

import io.delayqueue.store.AcquireRequest;
import io.delayqueue.store.Shard;
import io.delayqueue.store.TaskStore;
import io.delayqueue.store.WakeSignals;
import java.time.Duration;
import java.util.UUID;

/** A store on the shared embedded Redis, with keys of its own, for tests outside this package. */
public final class StoreFixture implements AutoCloseable {

    private final TestRedis redis = TestRedis.shared(RedisBinary.EMBEDDED_6_2);
    private final RedisKeys keys =
            new RedisKeys("t" + UUID.randomUUID().toString().substring(0, 8));
    private final RedisTaskStore store = new RedisTaskStore(redis.connections(), keys, TestRedis.TIMEOUT);
    private final RedisWakeSignals wakeSignals = new RedisWakeSignals(redis.connections(), keys);

    public TaskStore store() {
        return store;
    }

    public WakeSignals wakeSignals() {
        return wakeSignals;
    }

    /** The Redis server's clock, in epoch milliseconds. */
    public long serverMillis() {
        var time = redis.raw().time();
        return Long.parseLong(time.get(0)) * 1000 + Long.parseLong(time.get(1)) / 1000;
    }

    /** What a process does that is killed: it acquires and never settles. */
    public void acquireAndForget(String queue, int tasks, Duration lease) {
        var acquired = store.acquire(new Shard(queue, 0), new AcquireRequest(tasks, lease, 10, 1 << 20, tasks))
                .join();
        if (acquired.tasks().size() != tasks) {
            throw new AssertionError("acquired only " + acquired.tasks().size());
        }
    }

    @Override
    public void close() {
        wakeSignals.close();
    }
}
