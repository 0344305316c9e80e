// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.CancelOutcome;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.StoreCalls;
import io.lettuce.core.cluster.api.sync.RedisClusterCommands;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** A server that has lost all scripts, as after a restart, while many calls are in progress. */
abstract class LostScriptsContract extends RedisStoreContract {

    private static final int CALLS = 1_000;
    private static final Pattern EVAL = Pattern.compile("cmdstat_eval:calls=(\\d+)");

    LostScriptsContract(StoreServers servers) {
        super(servers);
    }

    private static int texts(RedisClusterCommands<String, String> node) {
        Matcher calls = EVAL.matcher(node.info("commandstats"));
        return calls.find() ? Integer.parseInt(calls.group(1)) : 0;
    }

    private void loseScripts() {
        redis.everyNode(node -> {
            node.scriptFlush();
            node.configResetstat();
        });
    }

    @Test
    void callsWhenTheScriptsAreLostSendTheTextOnceToEachServer() {
        get(StoreCalls.cancel(store, SHARD, "warm"));
        for (int time = 0; time < 3; time++) {
            loseScripts();
            List<CompletableFuture<CancelOutcome>> calls = new ArrayList<>();
            for (int i = 0; i < CALLS; i++) {
                calls.add(StoreCalls.cancel(store, new Shard("orders", i % 16), "absent-" + i));
            }
            calls.forEach(call -> assertThat(get(call)).isEqualTo(CancelOutcome.NOT_FOUND));
            redis.everyNode(node -> assertThat(texts(node)).isLessThanOrEqualTo(1));
        }
    }

    @Test
    void callsWhenTheScriptsAreLostInTheMiddleAllEnd() {
        get(StoreCalls.cancel(store, SHARD, "warm"));
        for (int time = 0; time < 10; time++) {
            List<CompletableFuture<CancelOutcome>> calls = new ArrayList<>();
            cancelAbsent(calls);
            redis.everyNode(RedisClusterCommands::scriptFlush);
            cancelAbsent(calls);
            calls.forEach(call -> assertThat(get(call)).isEqualTo(CancelOutcome.NOT_FOUND));
        }
    }

    /** Few at a time, for what the test does until the last of them counts as the time of the first. */
    private void cancelAbsent(List<CompletableFuture<CancelOutcome>> calls) {
        for (int i = 0; i < CALLS / 5; i++) {
            calls.add(StoreCalls.cancel(store, SHARD, "absent-" + i));
        }
    }
}
