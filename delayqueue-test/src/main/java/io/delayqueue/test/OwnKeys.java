// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test;

import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.redis.RedisConnections;
import io.delayqueue.internal.redis.RedisKeys;
import io.delayqueue.internal.redis.StoredQueue;
import io.delayqueue.internal.sharding.Shardings;
import io.delayqueue.internal.store.TaskStore;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.DestructionAwareBeanPostProcessor;

/**
 * Deletes the Redis keys of a context's queues when the context closes, after all users of the store have stopped and
 * before its connection closes. Does not create beans.
 */
final class OwnKeys implements DestructionAwareBeanPostProcessor {

    private static final Logger log = LoggerFactory.getLogger(OwnKeys.class);

    private final Map<String, Integer> shards = new ConcurrentHashMap<>();
    private @Nullable QueueCatalog queues;
    private @Nullable RedisKeys keys;
    private @Nullable RedisConnections connections;

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (bean instanceof QueueCatalog catalog) {
            queues = catalog;
            catalog.all().forEach(queue -> shards.merge(queue.name(), queue.shards(), Math::max));
        } else if (bean instanceof RedisKeys own) {
            keys = own;
        } else if (bean instanceof RedisConnections opened) {
            connections = opened;
        } else if (bean instanceof Shardings shardings && queues != null) {
            queues.names().forEach(queue -> shardings.listen(queue, () -> noteShards(shardings, queue)));
        }
        return bean;
    }

    /** Returns the highest number of shards that each queue has had so far. */
    Map<String, Integer> shards() {
        return Map.copyOf(shards);
    }

    /** Records the number of shards. If the number is lowered later, keys of the removed shards remain. */
    private void noteShards(Shardings shardings, String queue) {
        shards.merge(queue, shardings.of(queue).span(), Math::max);
    }

    @Override
    public boolean requiresDestruction(Object bean) {
        return bean instanceof TaskStore;
    }

    @Override
    public void postProcessBeforeDestruction(Object bean, String name) {
        if (bean instanceof TaskStore && keys != null && connections != null) {
            for (Map.Entry<String, Integer> queue : shards.entrySet()) {
                forget(new StoredQueue(queue.getKey(), keys), connections, queue.getValue());
            }
        }
    }

    private static void forget(StoredQueue queue, RedisConnections connections, int count) {
        try {
            queue.delete(connections, count);
        } catch (RuntimeException ex) {
            log.warn("Could not delete the Redis keys of test queue '{}': {}", queue.queue(), ex.toString());
        }
    }
}
