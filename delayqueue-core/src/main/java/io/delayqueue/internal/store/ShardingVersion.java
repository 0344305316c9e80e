// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import io.delayqueue.internal.calls.ShardingChangedException;

/**
 * The sharding by which a caller decides whether a task belongs to a shard. A shard remembers the newest one and
 * refuses older ones with {@link ShardingChangedException}.
 *
 * @param text the sharding in its stored form; empty for none
 */
public record ShardingVersion(String text) {

    /** The value for calls that do not depend on a sharding. The shard never refuses them. */
    public static final ShardingVersion NONE = new ShardingVersion("");
}
