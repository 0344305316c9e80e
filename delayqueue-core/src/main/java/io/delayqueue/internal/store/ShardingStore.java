// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import static io.delayqueue.internal.redis.RedisBytes.bytes;

import io.delayqueue.internal.redis.RedisKeys.QueueKey;
import io.delayqueue.internal.redis.Script;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * Stores the sharding of each queue in a string ({@code dq:{orders}:sharding}), and the claim of each job in another
 * ({@code dq:{orders}:migrator}, {@code dq:{orders}:forwarder}).
 */
public record ShardingStore(StoreScripts scripts) {

    /**
     * Records a sharding if the caller knows the recorded one. The new epoch exceeds both given epochs. Notifies the
     * queue's pollers.
     *
     * @param expectedEpoch epoch of the sharding that the caller knows to be recorded; 0 for none
     * @param leastEpoch an epoch that the new one must exceed
     * @param change the sharding in its stored form, without version and epoch; empty to read only
     * @param lost whether this restores a lost sharding or records the first one. Its epoch is then as low as possible,
     *     because a newer sharding may exist
     */
    public CompletableFuture<ShardingRecord> putSharding(
            String queue, long expectedEpoch, long leastEpoch, String change, boolean lost) {
        return scripts.run(
                        Script.SHARDING_PUT,
                        scripts.keys().of(QueueKey.SHARDING, queue),
                        "Queue '" + queue + "', sharding",
                        bytes(scripts.keys().wakeChannel(queue)),
                        bytes(expectedEpoch),
                        bytes(leastEpoch),
                        bytes(change),
                        bytes(lost ? "lost" : "new"))
                .thenApply(reply -> new ShardingRecord(reply.isTrue(0), reply.text(1)));
    }

    /**
     * Records a change of the sharding. Its epoch is at least the store's clock, so that no two changes have the same
     * epoch.
     */
    public CompletableFuture<ShardingRecord> putSharding(
            String queue, long expectedEpoch, long leastEpoch, String change) {
        return putSharding(queue, expectedEpoch, leastEpoch, change, false);
    }

    /**
     * Reads the newest sharding that a caller has passed to a shard.
     *
     * @return its stored form; empty if no caller has passed one
     */
    public CompletableFuture<String> shardingSeen(Shard shard) {
        return scripts.run(Script.SHARDING_SEEN, shard, "read", "sharding").thenApply(reply -> reply.text(0));
    }

    /**
     * Claims or keeps the right to migrate the queue's tasks. One process has it at a time.
     *
     * @param owner name of the process
     * @param time duration of the claim; zero to release it
     * @return whether the caller has the right
     */
    public CompletableFuture<Boolean> claimMigrator(String queue, String owner, Duration time) {
        return claim(
                scripts.keys().of(QueueKey.MIGRATOR, queue),
                "Queue '" + queue + "', claim of its migrations",
                owner,
                time);
    }

    /**
     * Claims or keeps the right to forward the queue's dead tasks. One process has it at a time.
     *
     * @param owner name of the process
     * @param time duration of the claim; zero to release it
     * @return whether the caller has the right
     */
    public CompletableFuture<Boolean> claimForwarder(String queue, String owner, Duration time) {
        return claim(
                scripts.keys().of(QueueKey.FORWARDER, queue),
                "Queue '" + queue + "', claim of its dead tasks",
                owner,
                time);
    }

    private CompletableFuture<Boolean> claim(String key, String what, String owner, Duration time) {
        return scripts.run(Script.CLAIM, key, what, bytes(owner), bytes(time.toMillis()))
                .thenApply(reply -> reply.isTrue(0));
    }

    public CompletableFuture<ShardingRecord> sharding(String queue) {
        return putSharding(queue, 0, 0, "");
    }
}
