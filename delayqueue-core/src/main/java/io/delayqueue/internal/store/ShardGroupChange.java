// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.util.List;

/**
 * The result of one step of a change to a group.
 *
 * @param next position of the next step; empty at the end
 * @param changed number of changed tasks whose delivery had not started
 * @param begun ids of the tasks whose delivery had started
 * @param discarded number of dead tasks that a cancel deleted
 */
public record ShardGroupChange(String next, long changed, List<String> begun, long discarded) {}
