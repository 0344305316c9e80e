// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

/**
 * Arguments that many scripts of shards declare under these names in their headers. The store supplies their values.
 */
public enum CommonArgument {
    CLOCK_OFFSET,
    WAKE_CHANNEL,
    SHARD,
    SHARDING_TEXT,
    HISTORY_KEPT
}
