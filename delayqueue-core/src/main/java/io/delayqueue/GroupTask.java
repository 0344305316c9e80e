// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import java.time.Instant;

/**
 * A task of a group as it stood at one moment.
 *
 * @param id its whole id
 * @param state where it stands
 * @param dueAt its due time as scheduled or last changed
 * @param nextAttentionAt when it is tried next; for a leased task when its lease ends; for a dead one when it died
 */
public record GroupTask(String id, TaskState state, Instant dueAt, Instant nextAttentionAt) {}
