// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static io.delayqueue.internal.redis.RedisBytes.bytes;

import io.delayqueue.internal.store.LayoutRecord;
import io.delayqueue.internal.store.LayoutStore;
import io.delayqueue.internal.store.Shard;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Keeps layouts in Redis, one string for each queue ({@code dq:{orders}:layout}), and one for each job of it that a
 * process has claimed ({@code dq:{orders}:migrator}, {@code dq:{orders}:forwarder}).
 */
record RedisLayoutStore(ScriptRunner scripts, RedisKeys keys) implements LayoutStore {

    @Override
    public CompletableFuture<LayoutRecord> putLayout(
            String queue, long expectedEpoch, long leastEpoch, String change, boolean lost) {
        return scripts.<List<Object>>run(
                        Script.LAYOUT_PUT,
                        keys.layout(queue),
                        "Queue '" + queue + "', layout",
                        bytes(keys.wakeChannel(queue)),
                        bytes(expectedEpoch),
                        bytes(leastEpoch),
                        bytes(change),
                        bytes(lost ? "lost" : "new"))
                .thenApply(reply -> new LayoutRecord(((Long) reply.get(0)) == 1, RedisBytes.string(reply.get(1))));
    }

    @Override
    public CompletableFuture<String> layoutSeen(Shard shard) {
        return scripts.<byte[]>run(Script.LAYOUT_SEEN, keys.of(shard), RedisBytes.what("read", shard, "layout"))
                .thenApply(RedisBytes::string);
    }

    @Override
    public CompletableFuture<Boolean> claimMigrator(String queue, String owner, Duration time) {
        return isSo(
                Script.CLAIM,
                keys.migrator(queue),
                "Queue '" + queue + "', claim of its migrations",
                bytes(owner),
                bytes(time.toMillis()));
    }

    @Override
    public CompletableFuture<Boolean> claimForwarder(String queue, String owner, Duration time) {
        return isSo(
                Script.CLAIM,
                keys.forwarder(queue),
                "Queue '" + queue + "', claim of its dead tasks",
                bytes(owner),
                bytes(time.toMillis()));
    }

    private CompletableFuture<Boolean> isSo(Script script, String key, String what, byte[]... args) {
        return scripts.<Long>run(script, key, what, args).thenApply(reply -> reply == 1);
    }
}
