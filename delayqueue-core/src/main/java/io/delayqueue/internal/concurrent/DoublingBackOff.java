// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.concurrent;

import java.time.Duration;
import org.springframework.util.backoff.BackOff;
import org.springframework.util.backoff.ExponentialBackOff;

/**
 * The library's back-off after consecutive failures: each pause is twice as long as the previous one, up to a maximum.
 * {@link BackOff#start} resets it. An execution must be used by one thread at a time.
 */
public final class DoublingBackOff {

    private DoublingBackOff() {}

    /**
     * Returns a back-off that never stops. Pauses are in whole milliseconds; if the first exceeds the longest, all
     * pauses are as long as the longest.
     */
    public static BackOff between(Duration first, Duration longest) {
        ExponentialBackOff backOff = new ExponentialBackOff(first.toMillis(), 2);
        backOff.setMaxInterval(Math.max(1, longest.toMillis()));
        return backOff;
    }
}
