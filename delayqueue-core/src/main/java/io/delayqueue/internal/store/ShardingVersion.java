// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import io.delayqueue.internal.calls.ShardingChangedException;

/**
 * The sharding of a queue that a caller goes by when it says that a task is to be in this shard or is not. A shard
 * remembers the newest one and refuses older ones with {@link ShardingChangedException}.
 *
 * @param text the sharding in its stored form; empty for none
 */
public record ShardingVersion(String text) {

    /** For calls that go by no sharding: whatever the shard remembers, it answers. */
    public static final ShardingVersion NONE = new ShardingVersion("");
}
