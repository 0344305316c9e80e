// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.util.List;

/**
 * The result of a step.
 *
 * @param next the place to continue; empty at the end
 * @param changed number of live tasks changed before any delivery of them had started
 * @param begun ids of tasks whose delivery had started
 * @param discarded number of dead tasks that a cancel deleted
 */
public record ShardGroupChange(String next, long changed, List<String> begun, long discarded) {}
