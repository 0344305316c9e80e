// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import io.delayqueue.internal.input.ProcessName;
import io.delayqueue.internal.redis.CommonArgument;
import io.delayqueue.internal.redis.RedisBytes;
import io.delayqueue.internal.redis.RedisKeys;
import io.delayqueue.internal.redis.Script;
import io.delayqueue.internal.redis.ScriptRequest;
import io.delayqueue.internal.redis.ScriptRunner;
import io.delayqueue.internal.redis.ShardKeys;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.ToIntFunction;

/**
 * Runs scripts for the roles of a {@link TaskStore}.
 *
 * @param historyLengths history entries per shard of a queue; 0 for none
 */
record StoreScripts(ScriptRunner runner, RedisKeys keys, QueueClock clock, ToIntFunction<String> historyLengths) {

    /**
     * Runs a script on keys of a shard.
     *
     * @param verb verb that describes the call in messages
     * @param object the id of a task, or another object of the call
     * @param args the arguments, without the {@linkplain CommonArgument common} ones
     */
    CompletableFuture<Reply> run(Script script, Shard shard, String verb, String object, byte[]... args) {
        return run(script, shard, ShardingVersion.NONE, verb, object, args);
    }

    CompletableFuture<Reply> run(Script script, Shard shard, String verb, String object, List<byte[]> args) {
        return run(script, shard, verb, object, args.toArray(byte[][]::new));
    }

    /** Runs a script that checks the caller's sharding. */
    CompletableFuture<Reply> run(
            Script script, Shard shard, ShardingVersion sharding, String verb, String object, byte[]... args) {
        ScriptRequest request = request(script, shard, sharding, verb, object, args);
        return runner.run(request).thenApply(answer -> Reply.of(request, answer));
    }

    /** Runs a script on a key that belongs to no shard. */
    CompletableFuture<Reply> run(Script script, String key, String what, byte[]... args) {
        ScriptRequest request = ScriptRequest.of(script, key, what, args);
        return runner.run(request).thenApply(answer -> Reply.of(request, answer));
    }

    ScriptRequest request(
            Script script, Shard shard, ShardingVersion sharding, String verb, String object, byte[]... args) {
        ShardKeys k = shard.keys(keys);
        byte[][] all = script.arguments(
                common -> switch (common) {
                    case CLOCK_OFFSET -> clock.bytes();
                    case WAKE_CHANNEL -> k.wakeChannel;
                    case SHARD -> k.shardNumber;
                    case SHARDING_TEXT -> RedisBytes.bytes(sharding.text());
                    case HISTORY_KEPT -> historyKept(shard.queue());
                },
                args);
        return ScriptRequest.of(script, k, shard.what(verb, object), all);
    }

    /** Returns the number of entries to keep and the name of this process; empty if the queue has no history. */
    private byte[] historyKept(String queue) {
        int length = historyLengths.applyAsInt(queue);
        return RedisBytes.bytes(length == 0 ? "" : length + " " + ProcessName.OWN);
    }
}
