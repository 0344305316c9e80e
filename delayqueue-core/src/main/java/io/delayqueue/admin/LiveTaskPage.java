// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.admin;

import java.util.List;
import java.util.Optional;

/**
 * A page of a queue's live tasks.
 *
 * @param tasks ordered by shard and then by when they next need attention; may be fewer than requested at the end, or
 *     none if few ids match
 * @param next request for the next page; empty at the end
 */
public record LiveTaskPage(List<LiveTask> tasks, Optional<LiveTaskPageRequest> next) {}
