// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.subject;

/** The destination of due tasks. Any thread of a subject may call it. It is fast and never throws. */
@FunctionalInterface
public interface Sink {

    /** Called when the application has received a task with this payload. */
    void arrived(String payload);

    /**
     * Like {@link #arrived(String)}, for an application in another process, which reports the time in epoch
     * microseconds.
     */
    default void arrived(String payload, long atMicros) {
        arrived(payload);
    }
}
