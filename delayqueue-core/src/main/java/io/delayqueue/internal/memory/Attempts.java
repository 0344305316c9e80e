// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.memory;

/**
 * What unsuccessful attempts left behind.
 *
 * @param failures attempts that failed
 * @param leaseExpiries leases that ran out
 * @param uncertain whether a delivery began whose end is not known, so that it may still be under way
 * @param reason why the last one failed
 */
record Attempts(int failures, int leaseExpiries, boolean uncertain, String reason) {

    /** Of a task that was never tried, but of which a delivery may be under way. */
    static Attempts uncertain(String reason) {
        return new Attempts(0, 0, true, reason);
    }
}
