// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import io.delayqueue.internal.redis.RedisKeys;
import io.delayqueue.internal.redis.Script;
import io.delayqueue.internal.redis.ScriptRequest;
import io.delayqueue.internal.redis.Scripts;
import java.util.concurrent.CompletableFuture;

/** One role of a {@link TaskStore}, whose methods each run one script. */
abstract class StoreRole {

    final Scripts scripts;
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
     * @param verb what it does, for messages
     * @param object the id of a task, or another object of the call
     */
    <T> CompletableFuture<T> run(Script script, Shard shard, String verb, String object, byte[]... args) {
        return scripts.run(ScriptRequest.of(script, shard.keys(keys), shard.what(verb, object), args));
    }
}
