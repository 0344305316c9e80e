// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

/**
 * The recorded sharding of a queue.
 *
 * @param recorded whether this call recorded it
 * @param text the sharding in its stored form; empty if none is recorded
 */
public record ShardingRecord(boolean recorded, String text) {}
