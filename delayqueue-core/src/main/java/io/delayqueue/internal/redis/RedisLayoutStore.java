// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static io.delayqueue.internal.redis.RedisBytes.bytes;

import io.delayqueue.internal.store.LayoutRecord;
import io.delayqueue.internal.store.LayoutStore;
import io.delayqueue.internal.store.Shard;
import io.lettuce.core.ScriptOutputType;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Keeps layouts in Redis, one string for each queue ({@code dq:{orders}:layout}), and one for each job of it that a process has
 * claimed ({@code dq:{orders}:mover}, {@code dq:{orders}:forwarder}).
 */
public final class RedisLayoutStore implements LayoutStore {

    private final ScriptRunner scripts;
    private final RedisKeys keys;

    /**
     * @param connectionFactory as that of {@link RedisTaskStore}
     * @param keys names the keys
     * @param commandTimeout within which every call is answered or fails
     */
    public RedisLayoutStore(LettuceConnectionFactory connectionFactory, RedisKeys keys, Duration commandTimeout) {
        this.scripts = new ScriptRunner(connectionFactory, commandTimeout);
        this.keys = keys;
    }

    @Override
    public CompletableFuture<LayoutRecord> putLayout(
            String queue, long expectedEpoch, long leastEpoch, String change, boolean lost) {
        return scripts.<List<Object>>run(
                        Script.LAYOUT_PUT,
                        ScriptOutputType.MULTI,
                        "Queue '" + queue + "', layout",
                        new byte[][] {bytes(keys.layout(queue))},
                        new byte[][] {
                            bytes(keys.wakeChannel(queue)),
                            bytes(expectedEpoch),
                            bytes(leastEpoch),
                            bytes(change),
                            bytes(lost ? "lost" : "new")
                        })
                .thenApply(reply -> new LayoutRecord(((Long) reply.get(0)) == 1, RedisBytes.string(reply.get(1))));
    }

    @Override
    public CompletableFuture<String> layoutSeen(Shard shard) {
        return scripts.<byte[]>run(
                        Script.LAYOUT_SEEN,
                        ScriptOutputType.VALUE,
                        RedisBytes.what("read", shard, "layout"),
                        new byte[][] {keys.of(shard).layout},
                        new byte[0][])
                .thenApply(RedisBytes::string);
    }

    @Override
    public CompletableFuture<Boolean> claimMover(String queue, String owner, Duration time) {
        return claim(
                Script.MOVER_CLAIM, "Queue '" + queue + "', claim of its migrations", keys.mover(queue), owner, time);
    }

    @Override
    public CompletableFuture<Boolean> claimForwarder(String queue, String owner, Duration time) {
        return claim(
                Script.FORWARDER_CLAIM,
                "Queue '" + queue + "', claim of its dead tasks",
                keys.forwarder(queue),
                owner,
                time);
    }

    private CompletableFuture<Boolean> claim(Script script, String what, String key, String owner, Duration time) {
        return scripts.<Long>run(script, ScriptOutputType.INTEGER, what, new byte[][] {bytes(key)}, new byte[][] {
                    bytes(owner), bytes(time.toMillis())
                })
                .thenApply(reply -> reply == 1);
    }
}
