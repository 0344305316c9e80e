// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.mutant;

import io.delayqueue.internal.sharding.QueueLayout;
import java.util.List;

/**
 * Called in the place of {@link QueueLayout}'s methods: the home by the configured number of shards, whatever it is by
 * now.
 */
public final class WrongShard {

    private WrongShard() {}

    /** In the place of {@link QueueLayout#homeOf}. */
    public static int homeOf(QueueLayout layout, String id) {
        return QueueLayout.initial(layout.configured()).homeOf(id);
    }

    /** In the place of {@link QueueLayout#homesOf}. */
    public static List<Integer> homesOf(QueueLayout layout, String id) {
        return List.of(homeOf(layout, id));
    }
}
