// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import java.util.List;

/**
 * Some tasks of a group.
 *
 * @param tasks in the order of their ids
 * @param next from where the next page goes on; empty if no others follow
 */
public record GroupPage(List<GroupTask> tasks, String next) {}
