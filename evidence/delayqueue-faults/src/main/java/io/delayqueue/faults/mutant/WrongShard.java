// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.mutant;

import io.delayqueue.internal.sharding.Sharding;
import java.util.List;

/**
 * Called instead of {@link Sharding}'s methods. Returns the home by the configured number of shards, even if that
 * number has changed.
 */
public final class WrongShard {

    private WrongShard() {}

    /** Replaces {@link Sharding#homeOf}. */
    public static int homeOf(Sharding sharding, String id) {
        return Sharding.initial(sharding.configured()).homeOf(id);
    }

    /** Replaces {@link Sharding#homesOf}. */
    public static List<Integer> homesOf(Sharding sharding, String id) {
        return List.of(homeOf(sharding, id));
    }
}
