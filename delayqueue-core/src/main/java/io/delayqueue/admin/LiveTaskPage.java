// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.admin;

import java.util.List;
import java.util.Optional;

/**
 * Some live tasks of a queue.
 *
 * @param tasks shard after shard, and in each by their next moments of attention; fewer than asked for at the end, and maybe
 *     none where few ids begin as asked for
 * @param next asks for those that follow; empty at the end
 */
public record LiveTaskPage(List<LiveTask> tasks, Optional<LiveTaskPageRequest> next) {}
