// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.client;

import java.time.Duration;

/**
 * Time-out and limits of a {@link DelayQueueTemplate}.
 *
 * @param callTimeout maximum time of a call that schedules one task, which is the store's command time-out
 * @param maxPendingTasks maximum number of asynchronous calls without a reply; further calls are refused
 */
public record ClientOptions(Duration callTimeout, int maxPendingTasks) {

    /** A time-out of 2 s, and 10,000 pending tasks. */
    public static final ClientOptions DEFAULT = new ClientOptions(Duration.ofSeconds(2), 10_000);

    public ClientOptions {
        if (callTimeout.isNegative() || callTimeout.isZero() || maxPendingTasks < 1) {
            throw new IllegalArgumentException(
                    "A template needs a positive time-out and at least one pending task, but got " + callTimeout + " "
                            + "and "
                            + maxPendingTasks);
        }
    }
}
