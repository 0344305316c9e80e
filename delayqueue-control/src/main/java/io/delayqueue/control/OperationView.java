// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.control;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The progress of an operation, as recorded before its current page. */
public interface OperationView {

    /** Returns the handle that identifies the operation. */
    String handle();

    /** Returns the process that runs it or last ran it: process id and host. */
    String process();

    /** Returns the queue. */
    String queue();

    /** Returns the change. */
    BulkAction action();

    /** Returns the conditions of the filter by name, and the rate if the operation has one. */
    Map<String, String> filter();

    /** Returns whether the tasks are only counted. */
    boolean dryRun();

    /** Returns the status. */
    Status status();

    /** Returns the number of tasks found so far. */
    long matched();

    /** Returns the number of tasks changed so far. */
    long done();

    /**
     * Returns how many of the changed tasks had a started delivery, which may have started after the operation read the
     * task. The operation does not stop the handler.
     */
    long inFlight();

    /**
     * Returns the number of tasks found but not changed, because they were gone, due earlier, or written by a newer
     * version of this library.
     */
    long left();

    /** Returns the caller who started it. */
    String by();

    /** Returns when it was started. */
    Instant startedAt();

    /** Returns when it ended; null while it runs. */
    @Nullable
    Instant endedAt();

    /** Returns why it failed; null if it did not. */
    @Nullable
    String error();

    /** The status of an operation. */
    enum Status {
        /** A process works on it. */
        RUNNING,
        /** A caller stopped it, or its process is shutting down. It can be resumed. */
        STOPPED,
        /** It failed with an error, or its process is gone. It can be resumed. */
        FAILED,
        /** It has changed all matching tasks. */
        DONE
    }
}
