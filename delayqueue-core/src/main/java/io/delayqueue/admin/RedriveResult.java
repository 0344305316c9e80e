// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.admin;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The result of a redrive.
 *
 * @param redriven number of redriven tasks
 * @param skipped ids that were not changed: their task is not dead, or was written by a newer version of this library
 * @param lastDueAt due time of the last redriven task
 */
public record RedriveResult(long redriven, List<String> skipped, Optional<Instant> lastDueAt) {}
