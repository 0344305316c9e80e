// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.mutant;

import io.delayqueue.internal.sharding.Sharding;
import java.util.List;

/**
 * Called in the place of {@link Sharding}'s methods: the home by the configured number of shards, whatever it is by
 * now.
 */
public final class WrongShard {

    private WrongShard() {}

    /** In the place of {@link Sharding#homeOf}. */
    public static int homeOf(Sharding sharding, String id) {
        return Sharding.initial(sharding.configured()).homeOf(id);
    }

    /** In the place of {@link Sharding#homesOf}. */
    public static List<Integer> homesOf(Sharding sharding, String id) {
        return List.of(homeOf(sharding, id));
    }
}
