// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import io.delayqueue.internal.calls.ShardingChangedException;

/**
 * The sharding that a caller uses to find the shard of a task. A shard remembers the newest sharding and refuses older
 * ones with {@link ShardingChangedException}.
 *
 * @param text the sharding in its stored form; empty for none
 */
public record ShardingVersion(String text) {

    /** The value for calls that do not depend on a sharding. The shard never refuses them. */
    public static final ShardingVersion NONE = new ShardingVersion("");
}
