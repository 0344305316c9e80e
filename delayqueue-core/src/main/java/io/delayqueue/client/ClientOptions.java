// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.client;

import java.time.Duration;

/**
 * How long and how much a {@link DelayQueueTemplate} waits.
 *
 * @param callTimeout within which every call that schedules one task is answered or fails: the store's command time-out
 * @param maxPendingTasks asynchronous calls that may be unanswered; one more is refused
 */
public record ClientOptions(Duration callTimeout, int maxPendingTasks) {

    /** 2 s, and 10,000 tasks. */
    public static final ClientOptions DEFAULT = new ClientOptions(Duration.ofSeconds(2), 10_000);

    public ClientOptions {
        if (callTimeout.isNegative() || callTimeout.isZero() || maxPendingTasks < 1) {
            throw new IllegalArgumentException("A template needs a positive time-out and room for a pending task, but"
                    + " was given " + callTimeout + " and " + maxPendingTasks);
        }
    }
}
