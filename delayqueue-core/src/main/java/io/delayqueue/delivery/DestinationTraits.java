// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.delivery;

/**
 * What the engine has to know of a destination before it hands tasks to it. {@link #PLAIN} is right for most; each of
 * the methods returns the same traits with one more:
 *
 * <pre>{@code
 * DestinationTraits.PLAIN.renewingLeases().isolatingSuspects()
 * }</pre>
 *
 * @param renewsLeases whether leases are renewed while deliveries run, for destinations that may take longer than a
 *     lease. Otherwise a delivery has to end within its lease
 * @param isolatesSuspects whether a task of which a lease ran out before is delivered only when no other such task is
 *     being delivered here. For destinations that run code of the application, which may kill the process: then the
 *     innocent tasks beside it are not under lease each time it happens
 * @param beginsEach whether the destination calls {@link Delivery#begin} before each delivery, so that a stop can
 *     release those of a batch that wait for their turn. Otherwise a batch is begun as a whole when it is handed over
 * @param callsInterceptors whether the destination calls the application's interceptors around each delivery itself.
 *     Otherwise that is done for it
 * @param logsFailures whether the destination itself logs attempts that fail, and why. Otherwise the engine logs what
 *     dies of them as an error
 * @param batchesAhead how many batches may be without outcomes after {@link TaskDestination#deliver} has returned,
 *     beside those that the workers are at. So many more are acquired before settling holds acquiring back
 */
public record DestinationTraits(
        boolean renewsLeases,
        boolean isolatesSuspects,
        boolean beginsEach,
        boolean callsInterceptors,
        boolean logsFailures,
        int batchesAhead) {

    /** A destination that takes a batch as a whole and has called every outcome, within the lease, when it returns. */
    public static final DestinationTraits PLAIN = new DestinationTraits(false, false, false, false, false, 0);

    /** @throws IllegalArgumentException if there are fewer than no batches ahead */
    public DestinationTraits {
        if (batchesAhead < 0) {
            throw new IllegalArgumentException("batchesAhead must not be negative, but was " + batchesAhead);
        }
    }

    /** Leases are renewed while its deliveries run. */
    public DestinationTraits renewingLeases() {
        return new DestinationTraits(true, isolatesSuspects, beginsEach, callsInterceptors, logsFailures, batchesAhead);
    }

    /** Of the tasks of which a lease ran out before, it delivers one at a time. */
    public DestinationTraits isolatingSuspects() {
        return new DestinationTraits(renewsLeases, true, beginsEach, callsInterceptors, logsFailures, batchesAhead);
    }

    /** It calls {@link Delivery#begin} before each delivery. */
    public DestinationTraits beginningEach() {
        return new DestinationTraits(
                renewsLeases, isolatesSuspects, true, callsInterceptors, logsFailures, batchesAhead);
    }

    /** It calls the application's interceptors itself. */
    public DestinationTraits callingInterceptors() {
        return new DestinationTraits(renewsLeases, isolatesSuspects, beginsEach, true, logsFailures, batchesAhead);
    }

    /** It logs attempts that fail itself. */
    public DestinationTraits loggingFailures() {
        return new DestinationTraits(renewsLeases, isolatesSuspects, beginsEach, callsInterceptors, true, batchesAhead);
    }

    /** It may hold so many batches after {@link TaskDestination#deliver} has returned. */
    public DestinationTraits withBatchesAhead(int batches) {
        return new DestinationTraits(
                renewsLeases, isolatesSuspects, beginsEach, callsInterceptors, logsFailures, batches);
    }
}
