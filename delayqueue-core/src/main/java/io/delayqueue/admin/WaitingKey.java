// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.admin;

import java.time.Instant;

/**
 * A key with tasks that wait because the key is over a limit or closed.
 *
 * @param waiting number of waiting tasks; may include cancelled or rescheduled tasks until {@code nextTurn}
 * @param nextTurn time when a process may acquire the next task of the key, by the clock of Redis. If the key waits for
 *     the end of a delivery, this is the end of that lease, and the next task may be acquired earlier
 */
public record WaitingKey(String key, long waiting, Instant nextTurn) {}
