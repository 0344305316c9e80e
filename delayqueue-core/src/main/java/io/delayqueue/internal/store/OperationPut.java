// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.time.Duration;

/**
 * A record of an operation's progress.
 *
 * @param runner unique name of the process, without a colon
 * @param dryRun whether it only counts
 * @param seen version that a claiming process has read; empty for other records
 * @param content its progress, in the runner's own format
 */
public record OperationPut(Act act, String runner, boolean dryRun, String seen, String content) {

    /** How long a process may write no record before it counts as dead. */
    public static final Duration SILENCE = Duration.ofSeconds(15);

    /** How long an unchanged record of an operation is kept. */
    public static final Duration KEPT = Duration.ofHours(24);

    /** Reasons for a record. */
    public enum Act {
        CLAIM,
        BEAT,
        END
    }

    /** Replies to the process. */
    public enum Answer {
        GO_ON,
        /** The progress is recorded, and a caller has requested a stop. */
        STOP,
        /**
         * Nothing is recorded: another process runs or may run the operation, or has run it since the version was read.
         */
        LOST
    }
}
