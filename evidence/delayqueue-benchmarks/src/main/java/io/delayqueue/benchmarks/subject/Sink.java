// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.subject;

/** Where due tasks go. Called by any thread of a subject, quick, and never throws. */
@FunctionalInterface
public interface Sink {

    /** A task with this payload is in the hands of the application. */
    void arrived(String payload);

    /** The same of an application in another process, which says when that was, epoch microseconds. */
    default void arrived(String payload, long atMicros) {
        arrived(payload);
    }
}
