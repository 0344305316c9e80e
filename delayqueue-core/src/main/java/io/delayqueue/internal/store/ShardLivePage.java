// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Live tasks of one shard.
 *
 * @param tasks in the order of their moments, without content
 * @param last the task that was looked at last; null if there was none
 * @param more whether others follow within what was asked for
 */
public record ShardLivePage(
        List<StoredTask> tasks, @Nullable LivePosition last, boolean more) {}
