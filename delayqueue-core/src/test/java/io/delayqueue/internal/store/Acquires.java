// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.time.Duration;

/** Requests of tests for due tasks, which name only what matters. */
public final class Acquires {

    private Acquires() {}

    /** Requests tasks that are due, however late, at any rate; keeps those that die. */
    public static AcquireRequest of(int limit, Duration lease, int maxLeaseExpiries, int maxBytes, int maxSuspects) {
        return of(limit, lease, maxLeaseExpiries, maxBytes, maxSuspects, 0);
    }

    public static AcquireRequest of(
            int limit, Duration lease, int maxLeaseExpiries, int maxBytes, int maxSuspects, double catchUpPerSecond) {
        return of(limit, lease, maxLeaseExpiries, maxBytes, maxSuspects, catchUpPerSecond, true);
    }

    public static AcquireRequest of(
            int limit,
            Duration lease,
            int maxLeaseExpiries,
            int maxBytes,
            int maxSuspects,
            double catchUpPerSecond,
            boolean keepsDead) {
        return new AcquireRequest(
                limit, lease, maxLeaseExpiries, maxBytes, maxSuspects, catchUpPerSecond, keepsDead, Expiry.NEVER);
    }

    /** Returns this request with an expiry. */
    public static AcquireRequest without(Expiry late, AcquireRequest request) {
        return new AcquireRequest(
                request.limit(),
                request.lease(),
                request.maxLeaseExpiries(),
                request.maxBytes(),
                request.maxSuspects(),
                request.catchUpPerSecond(),
                request.keepsDead(),
                late);
    }
}
