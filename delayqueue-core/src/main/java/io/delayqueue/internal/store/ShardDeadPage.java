// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.util.List;

/**
 * Dead tasks of one shard.
 *
 * @param tasks the longest dead first; without content unless it was asked for
 * @param more whether others follow
 */
public record ShardDeadPage(List<StoredTask> tasks, boolean more) {}
