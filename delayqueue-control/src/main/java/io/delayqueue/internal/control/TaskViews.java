// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of tasks of a queue.
 *
 * @param tasks the tasks, ordered by shard and then by time; can be empty even if more follow
 * @param next start of the next page; null at the end
 */
public record TaskViews(List<TaskView> tasks, @Nullable String next) {}
