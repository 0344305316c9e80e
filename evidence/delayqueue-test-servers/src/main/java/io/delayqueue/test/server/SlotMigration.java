// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import io.lettuce.core.MigrateArgs;
import java.time.Duration;
import java.util.List;

/**
 * The migration of one slot of a {@link RedisCluster} from its master to another one, as an operator's tool does it.
 * Between {@link #begin} and {@link #finish} the servers answer clients with redirections, or ask them to try again.
 */
public final class SlotMigration {

    private static final Duration MOVE_LIMIT = Duration.ofSeconds(20);

    private final RedisCalls calls;
    private final List<RedisServer> nodes;
    private final int slot;
    private final RedisServer source;
    private final RedisServer target;

    SlotMigration(RedisCalls calls, List<RedisServer> nodes, int slot, RedisServer source, RedisServer target) {
        this.calls = calls;
        this.nodes = nodes;
        this.slot = slot;
        this.source = source;
        this.target = target;
    }

    /** Declares the migration on both sides. No key migrates yet. */
    public void begin() {
        String sourceId = calls.on(source, redis -> redis.clusterMyId());
        String targetId = calls.on(target, redis -> redis.clusterMyId());
        calls.on(target, redis -> redis.clusterSetSlotImporting(slot, sourceId));
        calls.on(source, redis -> redis.clusterSetSlotMigrating(slot, targetId));
    }

    /** Migrates at most so many of the slot's keys; each is on one side or the other at any moment. */
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

    /** Migrates what is left and gives the slot to the target. */
    public void finish() {
        while (moveKeys(100) > 0) {
            // clients of the target may not add to the source any more, so this ends
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
