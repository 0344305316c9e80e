// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.sharding;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShardRouterTests {

    /**
     * Computed by another implementation of the two papers' algorithms. They are part of the stored format. If this
     * fails, tasks of running systems cannot be found any more.
     */
    @ParameterizedTest
    @CsvSource({
        "a,1,0",
        "a,2,1",
        "a,16,5",
        "a,1000,723",
        "order-1,4,0",
        "order-2,4,2",
        "order-3,4,3",
        "order-1,64,4",
        "0f8fad5b-d9cb-469f-a165-70867728950e,8,6",
        "0f8fad5b-d9cb-469f-a165-70867728950e,512,489",
        "~,7,3",
    })
    void shardOfWhenGivenAKnownKeyIsTheSameForEver(String key, int shards, int expected) {
        assertThat(ShardRouter.shardOf(key, shards)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"2", "3", "16", "64"})
    void shardOfWhenKeysAreManySpreadsThemEvenly(int shards) {
        int keys = 100_000;
        int[] counts = new int[shards];
        for (int i = 0; i < keys; i++) {
            counts[ShardRouter.shardOf("order-" + i, shards)]++;
        }

        double mean = (double) keys / shards;
        double chiSquare = IntStream.of(counts)
                .mapToDouble(count -> (count - mean) * (count - mean) / mean)
                .sum();
        // five standard deviations of a chi-square distribution with shards - 1 degrees of freedom
        assertThat(chiSquare).isLessThan(shards - 1 + 5 * Math.sqrt(2.0 * (shards - 1)));
    }

    @ParameterizedTest
    @CsvSource({"1,2", "4,5", "4,8", "16,17"})
    void shardOfWhenShardsAreAddedMovesOnlyTheirShareAndOnlyToThem(int before, int after) {
        int keys = 50_000;
        int migrating = 0;
        for (int i = 0; i < keys; i++) {
            int from = ShardRouter.shardOf("order-" + i, before);
            int to = ShardRouter.shardOf("order-" + i, after);
            if (from != to) {
                migrating++;
                assertThat(to).isGreaterThanOrEqualTo(before);
            }
        }

        double share = (double) (after - before) / after;
        assertThat((double) migrating / keys).isBetween(share * 0.93, share * 1.07);
    }

    @Test
    void shardOfWhenKeysHaveAnyShapeStaysInRange() {
        for (String key : new String[] {"", "x".repeat(256), "\u20ac", "!"}) {
            for (int shards = 1; shards < 100; shards++) {
                assertThat(ShardRouter.shardOf(key, shards)).isBetween(0, shards - 1);
            }
        }
    }
}
