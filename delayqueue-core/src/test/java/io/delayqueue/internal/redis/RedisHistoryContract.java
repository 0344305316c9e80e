// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.XAddArgs;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
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
    void historyWhenFewerAreKeptThanBeforeForgetsTheOthersByAndBy() {
        for (int i = 1; i <= BEFORE; i++) {
            Map<String, String> entry =
                    Map.of("at", "1", "id", "old", "event", "delivered", "reason", "", "process", "p");
            redis.raw().xadd(KEY, new XAddArgs().id(i + "-0"), entry);
        }

        cancelOne();

        assertThat(redis.raw().xlen(KEY)).isBetween(BEFORE - 199L, BEFORE + 1L);
        for (int i = 0; i < 20; i++) {
            cancelOne();
        }
        assertThat(redis.raw().xlen(KEY)).isBetween(200L, 320L);
    }

    @Test
    void historyWhenACallEndsManyAlikeHasOneEntryForThem() {
        List<String> ids = List.of("a", "x1:a,", "1:a,1:b,", "10:");
        deliver(ids);

        assertThat(redis.raw().xlen(KEY)).isOne();
        assertThat(ids).allSatisfy(id -> assertThat(told(id)).containsExactly("delivered"));
        assertThat(List.of("b", "1:a", "x", "0:"))
                .allSatisfy(id -> assertThat(told(id)).isEmpty());
    }

    @Test
    void historyWhenIdsHaveNoCommasFindsEachAndNothingElse() {
        List<String> ids = List.of("a", "b", "ab", "-", "1:a");
        deliver(ids);

        assertThat(redis.raw().xlen(KEY)).isOne();
        assertThat(ids).allSatisfy(id -> assertThat(told(id)).containsExactly("delivered"));
        assertThat(List.of("a,b", "b,ab", "bab", "1", ","))
                .allSatisfy(id -> assertThat(told(id)).isEmpty());
    }

    @Test
    void historyWhenACallEndsMoreThanAnEntryTakesHasSeveral() {
        List<String> ids =
                IntStream.range(0, 100).mapToObj(i -> i + "-" + "x".repeat(100)).toList();
        deliver(ids);

        assertThat(redis.raw().xlen(KEY)).isBetween(3L, 5L);
        assertThat(ids).allSatisfy(id -> assertThat(told(id)).containsExactly("delivered"));
    }

    @Test
    void historyWhenFullForgetsAsManyTasksAsComeWhateverTheirEntries() {
        for (int i = 0; i < 12; i++) {
            int round = i;
            deliver(IntStream.range(0, 40).mapToObj(j -> round + "-" + j).toList());
        }

        assertThat(IntStream.range(0, 12).filter(i -> !told(i + "-7").isEmpty()))
                .as("rounds of 40 of which something is told, where 200 are kept")
                .contains(11, 10, 9, 8, 7)
                .hasSizeBetween(5, 12);
        for (int i = 12; i < 150; i++) {
            int round = i;
            deliver(IntStream.range(0, 40).mapToObj(j -> round + "-" + j).toList());
        }
        assertThat(redis.raw().xlen(KEY)).isLessThan(110);
        assertThat(told("0-7")).isEmpty();
        assertThat(told("149-7")).containsExactly("delivered");
    }
}
