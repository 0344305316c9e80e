// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import io.delayqueue.internal.redis.RedisKeys;
import io.delayqueue.internal.redis.ShardKeys;

/**
 * A partition of a queue.
 *
 * @param index number of the shard, from 0
 */
public record Shard(String queue, int index) {

    ShardKeys keys(RedisKeys keys) {
        return keys.ofShard(queue, index);
    }

    /**
     * Returns a description of a call for messages.
     *
     * @param object the id of a task, or another object of the call
     */
    public String what(String verb, String object) {
        return "Queue '" + queue + "', shard " + index + ", " + verb + " '" + object + "'";
    }

    @Override
    public String toString() {
        return queue + ":" + index;
    }
}
