// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test;

import io.delayqueue.internal.redis.RedisConnections;
import io.delayqueue.internal.redis.RedisKeys;
import io.delayqueue.internal.redis.StoredQueue;
import io.delayqueue.internal.sharding.Shardings;
import io.delayqueue.internal.store.TaskStore;
import io.delayqueue.queue.QueueCatalog;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.DestructionAwareBeanPostProcessor;

/**
 * Deletes what the queues of a context have in Redis, when the context closes: after all that uses the store has ended, and
 * before its connection does. Makes no bean itself.
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

    /** How many shards each queue has had at most. */
    Map<String, Integer> shards() {
        return Map.copyOf(shards);
    }

    /** Also after the number of shards has been lowered there are keys of all. */
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
            log.warn("Keys of a test's queue '{}' are left behind in Redis: {}", queue.queue(), ex.toString());
        }
    }
}
