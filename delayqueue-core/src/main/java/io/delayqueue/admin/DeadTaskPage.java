// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.admin;

import java.util.List;
import java.util.Optional;

/**
 * Some dead tasks of a queue.
 *
 * @param tasks shard after shard, and in each the longest dead first; fewer than asked for at the end, or when their
 *     content is large
 * @param next asks for those that follow; empty at the end
 */
public record DeadTaskPage(List<DeadTask> tasks, Optional<DeadTaskPageRequest> next) {}
