// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import io.delayqueue.internal.redis.RedisKeys;
import io.delayqueue.internal.redis.ShardKeys;

/**
 * One partition of a queue.
 *
 * @param queue the queue's name
 * @param index 0 to M - 1
 */
public record Shard(String queue, int index) {

    /** The names of its keys. */
    ShardKeys keys(RedisKeys keys) {
        return keys.ofShard(queue, index);
    }

    /**
     * Names a call, for messages.
     *
     * @param object the id of a task, or what else the call is about
     */
    public String what(String verb, String object) {
        return "Queue '" + queue + "', shard " + index + ", " + verb + " '" + object + "'";
    }

    @Override
    public String toString() {
        return queue + ":" + index;
    }
}
