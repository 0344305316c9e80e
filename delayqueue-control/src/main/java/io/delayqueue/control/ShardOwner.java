// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.control;

import org.jspecify.annotations.Nullable;

/**
 * The process that scans a shard on time.
 *
 * @param shard its number
 * @param process which one: process id and host; null where nobody is known to deliver the queue's tasks
 */
public record ShardOwner(int shard, @Nullable String process) {}
