// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.control;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Some tasks of a queue.
 *
 * @param tasks shard after shard, and in each by their moments; maybe none although others follow, where few are as asked for
 * @param next where the next page begins; null at the end
 */
public record TaskPage(List<TaskView> tasks, @Nullable String next) {}
