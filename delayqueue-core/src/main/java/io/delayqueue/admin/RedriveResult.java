// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.admin;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What a redrive did.
 *
 * @param redriven how many tasks live again
 * @param skipped ids left as they are: not dead (any more), or with a record that a newer version of this library wrote
 * @param lastDueAt when the last of those redriven is due
 */
public record RedriveResult(long redriven, List<String> skipped, Optional<Instant> lastDueAt) {}
