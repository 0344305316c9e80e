// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import java.time.Instant;

/**
 * The state of a group's task at one moment.
 *
 * @param id its whole id
 * @param state its state
 * @param dueAt its due time as scheduled or last changed
 * @param nextAttentionAt when it is due or retried; for a leased task when its lease ends; for a dead task when it died
 */
public record GroupTask(String id, TaskState state, Instant dueAt, Instant nextAttentionAt) {}
