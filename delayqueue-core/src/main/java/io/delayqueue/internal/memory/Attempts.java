// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.memory;

import io.delayqueue.FailedAttempt;
import io.delayqueue.internal.store.StoredTask;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * What unsuccessful attempts left behind.
 *
 * @param failures attempts that failed
 * @param leaseExpiries leases that ran out
 * @param uncertain whether a delivery began whose end is not known, so that it may still be under way
 * @param reason why the last one failed
 * @param trail the last ones that failed or lost their lease, the newest last
 */
record Attempts(int failures, int leaseExpiries, boolean uncertain, String reason, List<FailedAttempt> trail) {

    static final Attempts NONE = new Attempts(0, 0, false, "", List.of());

    /** The last reason of a task that took the place of one under delivery, until a delivery of its own has begun. */
    static final String REPLACED = "replaced during a delivery";

    /** Of a task that was never tried, but of which a delivery may be under way. */
    static Attempts uncertain(String reason) {
        return new Attempts(0, 0, true, reason, List.of());
    }

    /** Whether a delivery of this task began, rather than of the one whose place it took. */
    boolean hasBegun() {
        return failures + leaseExpiries > 0 || (uncertain && !reason.equals(REPLACED));
    }

    /** One more has failed. */
    Attempts failed(long at, String why) {
        return new Attempts(failures + 1, leaseExpiries, uncertain, why, longer(at, why));
    }

    /** One more has lost its lease. */
    Attempts expired(long at, String why) {
        return new Attempts(failures, leaseExpiries + 1, true, why, longer(at, why));
    }

    /** The same, after something that does not count. */
    Attempts with(boolean isUncertain, String why) {
        return new Attempts(failures, leaseExpiries, isUncertain, why, trail);
    }

    /** Of the same task, redriven: that a delivery may still be under way is not forgotten, nor why attempts have failed. */
    Attempts redriven() {
        return new Attempts(0, 0, uncertain, uncertain ? "redriven" : "", trail);
    }

    private List<FailedAttempt> longer(long at, String why) {
        List<FailedAttempt> longer = new ArrayList<>(trail);
        longer.add(new FailedAttempt(
                Instant.ofEpochMilli(at), why.substring(0, Math.min(why.length(), StoredTask.LONGEST_REASON))));
        return List.copyOf(longer.subList(Math.max(0, longer.size() - StoredTask.MOST_ATTEMPTS), longer.size()));
    }
}
