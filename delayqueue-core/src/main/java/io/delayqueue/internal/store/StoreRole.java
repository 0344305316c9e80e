// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import io.delayqueue.internal.redis.CommonArgument;
import io.delayqueue.internal.redis.RedisBytes;
import io.delayqueue.internal.redis.RedisKeys;
import io.delayqueue.internal.redis.Script;
import io.delayqueue.internal.redis.ScriptRequest;
import io.delayqueue.internal.redis.ScriptRunner;
import io.delayqueue.internal.redis.ShardKeys;
import java.util.concurrent.CompletableFuture;

/** One role of a {@link TaskStore}, whose methods each run one script. */
abstract class StoreRole {

    final ScriptRunner scripts;
    final RedisKeys keys;
    final QueueClock clock;
    final HistoriesKept histories;

    StoreRole(StoreParts parts) {
        this.scripts = parts.scripts();
        this.keys = parts.keys();
        this.clock = parts.clock();
        this.histories = parts.histories();
    }

    /**
     * Runs a script on keys of a shard.
     *
     * @param verb verb that describes the call in messages
     * @param object the id of a task, or another object of the call
     * @param args the arguments, without the {@linkplain CommonArgument common} ones
     */
    <T> CompletableFuture<T> run(Script script, Shard shard, String verb, String object, byte[]... args) {
        return run(script, shard, ShardingVersion.NONE, verb, object, args);
    }

    /** Runs a script that checks the caller's sharding. */
    <T> CompletableFuture<T> run(
            Script script, Shard shard, ShardingVersion sharding, String verb, String object, byte[]... args) {
        return scripts.run(request(script, shard, sharding, shard.what(verb, object), args));
    }

    ScriptRequest request(Script script, Shard shard, ShardingVersion sharding, String what, byte[]... args) {
        ShardKeys k = shard.keys(keys);
        byte[][] all = script.arguments(
                common -> switch (common) {
                    case CLOCK_OFFSET -> clock.bytes();
                    case WAKE_CHANNEL -> k.wakeChannel;
                    case SHARD -> k.shardNumber;
                    case SHARDING_TEXT -> RedisBytes.bytes(sharding.text());
                    case HISTORY_KEPT -> histories.of(shard);
                },
                args);
        return ScriptRequest.of(script, k, what, all);
    }
}
