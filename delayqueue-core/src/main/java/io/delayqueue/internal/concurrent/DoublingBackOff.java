// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.concurrent;

import java.time.Duration;
import org.springframework.util.backoff.BackOff;
import org.springframework.util.backoff.ExponentialBackOff;

/**
 * How the library pauses after failures in a row: each pause is twice as long as the one before, up to a longest one.
 * It begins anew by another {@link BackOff#start}; an execution is for one thread at a time.
 */
public final class DoublingBackOff {

    private DoublingBackOff() {}

    /** Never stops. Both in whole milliseconds; where the first is the longer one, all are as long as the longest. */
    public static BackOff between(Duration first, Duration longest) {
        ExponentialBackOff backOff = new ExponentialBackOff(first.toMillis(), 2);
        backOff.setMaxInterval(Math.max(1, longest.toMillis()));
        return backOff;
    }
}
