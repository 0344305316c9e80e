// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.admin;

import java.util.List;
import java.util.Optional;

/**
 * A page of a queue's dead tasks.
 *
 * @param tasks ordered by shard and then by death, oldest first; may be fewer than requested at the end or if their
 *     contents are large
 * @param next request for the next page; empty at the end
 */
public record DeadTaskPage(List<DeadTask> tasks, Optional<DeadTaskPageRequest> next) {}
