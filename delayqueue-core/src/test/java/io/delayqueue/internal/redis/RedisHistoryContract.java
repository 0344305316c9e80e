// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.XAddArgs;
import org.junit.jupiter.api.Test;

/** Beside what every store tells: what it costs in Redis to forget. */
abstract class RedisHistoryContract extends HistoryContract {

    private static final String KEY = ShardState.key(TOLD, "history");
    private static final int BEFORE = 2_000;

    private final TestRedis redis;

    RedisHistoryContract(StoreServers servers) {
        super(servers.shared());
        this.redis = servers.shared();
    }

    private void cancelOne() {
        put("a", now + MINUTE);
        get(store.tasks().cancel(TOLD, "a"));
    }

    @Test
    void historyWhenFewerAreKeptThanBeforeForgetsTheOthers() {
        for (int i = 1; i <= BEFORE; i++) {
            redis.raw().xadd(KEY, "id", "old", "event", "delivered", "reason", "", "process", "p");
        }

        cancelOne();

        assertThat(redis.raw().xlen(KEY)).isBetween(200L, 300L);
        assertThat(told("a")).containsExactly("cancelled");
    }

    @Test
    void historyWhenSomethingElseWroteToItIsReadOn() {
        cancelOne();
        redis.raw().xadd(KEY, "foreign", "a");
        redis.raw().xadd(KEY, "id", "a");

        assertThat(told("a")).containsExactly("cancelled", "");
    }

    /** Entries that follow have the same time, for that of a stream never goes back. */
    @Test
    void historyWhenTheTimeOfAnEntryCannotBeReadHasTheOthers() {
        cancelOne();
        redis.raw().xadd(KEY, new XAddArgs().id("18446744073709551614-0"), "id", "a", "event", "delivered");
        cancelOne();

        assertThat(told("a"))
                .containsExactly(
                        "cancelled",
                        "unreadable: The entry of 18446744073709551614 has no time",
                        "unreadable: The entry of 18446744073709551614 has no time");
    }
}
