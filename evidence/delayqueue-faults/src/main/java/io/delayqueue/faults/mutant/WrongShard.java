// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.mutant;

import io.delayqueue.internal.sharding.QueueLayout;
import java.util.List;
import net.bytebuddy.asm.Advice;

/**
 * Called in the place of {@link QueueLayout}'s methods: the home by the configured number of shards, whatever it is by
 * now.
 */
public final class WrongShard {

    private WrongShard() {}

    /** In the place of {@link QueueLayout#homeOf}. */
    public static int homeOf(QueueLayout layout, String shardKey) {
        return QueueLayout.initial(layout.configured()).homeOf(shardKey);
    }

    /** In the place of {@link QueueLayout#homesOf}. */
    public static List<Integer> homesOf(QueueLayout layout, String shardKey) {
        return List.of(homeOf(layout, shardKey));
    }

    /** In the place of looking everywhere else, too, before it is said that a task is not there. */
    static final class NoSweep {

        private NoSweep() {}

        @Advice.OnMethodExit
        static void sweep(@Advice.Return(readOnly = false) List<List<Integer>> shards) {
            shards = List.of();
        }
    }
}
