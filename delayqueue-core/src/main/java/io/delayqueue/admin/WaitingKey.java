// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.admin;

import java.time.Instant;

/**
 * A key with tasks that wait because the key is over a limit or closed.
 *
 * @param waiting number of these tasks; until the next turn, it may include tasks that were cancelled or rescheduled
 * @param nextTurn time when a process may acquire the next task of the key, by the clock of Redis. If the key waits for
 *     a delivery to end, this is the end of its lease, and the turn may come earlier
 */
public record WaitingKey(String key, long waiting, Instant nextTurn) {}
