// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of one call of a redrive in a shard.
 *
 * @param verdicts one value for each task, in the order of the request: {@code true} if the task is live again; {@code
 *     false} if it was not changed, because it is not dead or a newer version wrote its record
 * @param lastDueAt the last assigned due time; null if no task is live again
 */
public record ShardRedrive(List<Boolean> verdicts, @Nullable Instant lastDueAt) {}
