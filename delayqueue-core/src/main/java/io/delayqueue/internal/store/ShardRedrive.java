// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one call of a redrive did in a shard.
 *
 * @param verdicts in the order of the ids: true where the task lives again, false where it is not dead, or a newer
 *     version wrote its record, and nothing was changed
 * @param lastDueAt the last due time given; null if none was
 */
public record ShardRedrive(List<Boolean> verdicts, @Nullable Instant lastDueAt) {}
