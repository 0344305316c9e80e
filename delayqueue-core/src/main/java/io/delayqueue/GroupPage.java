// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import java.util.List;

/**
 * A page of a group's tasks.
 *
 * @param tasks in the order of their ids
 * @param next start of the next page; empty at the end
 */
public record GroupPage(List<GroupTask> tasks, String next) {}
