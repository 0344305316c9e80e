// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import io.lettuce.core.MigrateArgs;
import java.time.Duration;
import java.util.List;

/**
 * The migration of one slot of a {@link RedisCluster} from its master to another, with the steps of an operator's tool.
 * Between {@link #begin} and {@link #finish} the servers redirect clients, or tell them to retry.
 */
public record SlotMigration(
        RedisCalls calls, List<RedisServer> nodes, int slot, RedisServer source, RedisServer target) {

    private static final Duration MOVE_LIMIT = Duration.ofSeconds(20);

    /** Declares the migration on both sides. No key migrates yet. */
    public void begin() {
        String sourceId = calls.on(source, redis -> redis.clusterMyId());
        String targetId = calls.on(target, redis -> redis.clusterMyId());
        calls.on(target, redis -> redis.clusterSetSlotImporting(slot, sourceId));
        calls.on(source, redis -> redis.clusterSetSlotMigrating(slot, targetId));
    }

    /** Migrates at most this number of the slot's keys. At any moment each key is on exactly one side. */
    public int moveKeys(int limit) {
        List<String> keys = calls.on(source, redis -> redis.clusterGetKeysInSlot(slot, limit));
        if (!keys.isEmpty()) {
            calls.on(
                    source,
                    redis -> redis.migrate(
                            target.host(), target.port(), 0, MOVE_LIMIT.toMillis(), MigrateArgs.Builder.keys(keys)));
        }
        return keys.size();
    }

    /** Migrates the remaining keys and assigns the slot to the target. */
    public void finish() {
        while (moveKeys(100) > 0) {
            // clients of the target can no longer add keys to the source, so this ends
        }
        String targetId = calls.on(target, redis -> redis.clusterMyId());
        calls.on(target, redis -> redis.clusterSetSlotNode(slot, targetId));
        calls.on(source, redis -> redis.clusterSetSlotNode(slot, targetId));
        nodes.stream()
                .filter(node -> node != source && node != target && node.isRunning())
                .filter(node ->
                        calls.on(node, redis -> "master".equals(redis.role().get(0))))
                .forEach(node -> calls.on(node, redis -> redis.clusterSetSlotNode(slot, targetId)));
    }
}
