// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.delivery;

/**
 * Hears of tasks that were quarantined: something in the store was due that cannot be read as a task, and is a dead one
 * with its reason from now on, so that the tasks around it go on. Not meant are tasks that died of their deliveries or
 * of expired leases, nor those that a newer version of this library wrote, which are left alone and seen again at each
 * scan.
 *
 * <p>For counting, not for booking: an acquisition whose answer was lost is not heard of, and a task that could not be
 * quarantined at once may be heard of twice. {@link io.delayqueue.admin.QueueStats#dead()} has what is there.
 */
@FunctionalInterface
public interface QuarantineListener {

    /**
     * Tasks of a queue were quarantined. Called once for all that one acquisition brought, on the thread that scans, so
     * it must not block; by many threads at once. What it throws is logged and changes nothing.
     *
     * @param queue their queue
     * @param tasks how many, at least one
     */
    void quarantined(String queue, int tasks);
}
