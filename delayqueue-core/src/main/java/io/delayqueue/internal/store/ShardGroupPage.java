// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import io.delayqueue.GroupTask;
import java.util.List;

/**
 * Tasks of a group.
 *
 * @param next from where others follow; empty if none do
 * @param live how many live ones were found
 * @param dead how many dead ones
 * @param tasks in the order of their ids; empty where they were only counted
 */
public record ShardGroupPage(String next, long live, long dead, List<GroupTask> tasks) {}
