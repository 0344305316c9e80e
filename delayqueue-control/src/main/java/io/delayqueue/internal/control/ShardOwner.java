// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import org.jspecify.annotations.Nullable;

/**
 * The process that owns a shard.
 *
 * @param shard number of the shard
 * @param process process id and host; null if no process is known to deliver the queue's tasks
 */
public record ShardOwner(int shard, @Nullable String process) {}
