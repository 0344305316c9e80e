// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Some tasks of a list of a shard.
 *
 * @param tasks in the order of their moments; without content unless the request asked for it
 * @param next where the next page begins; null at the end
 */
public record Page(List<StoredTask> tasks, @Nullable Position next) {}
