// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of a list of a shard.
 *
 * @param tasks tasks ordered by time, with content only if requested
 * @param next start of the next page; null at the end
 */
public record Page(List<StoredTask> tasks, @Nullable Position next) {}
