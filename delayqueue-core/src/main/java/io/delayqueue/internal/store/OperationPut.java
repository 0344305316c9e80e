// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.time.Duration;

/**
 * What is noted of an operation.
 *
 * @param act why
 * @param runner the process; has no colon, and no other one has this name
 * @param dryRun whether it only counts
 * @param seen the version that a process which wants to run it has read; empty where there was none, and for other acts
 * @param content how far it is, as its runner writes it
 */
public record OperationPut(Act act, String runner, boolean dryRun, String seen, String content) {

    /** A process that has not noted anything for so long counts as dead. */
    public static final Duration SILENCE = Duration.ofSeconds(15);

    /** For how long the record of an operation stays that is not touched. */
    public static final Duration KEPT = Duration.ofHours(24);

    /** Why something is noted. */
    public enum Act {
        /** The process wants to run it. */
        CLAIM,
        /** The process runs it. */
        BEAT,
        /** The process has run it and does so no more. */
        END
    }

    /** What the process is told. */
    public enum Answer {
        /** It is noted. */
        GO_ON,
        /** It is noted, and somebody has asked that it ends. */
        STOP,
        /** Another process runs it, or may, or has run it since the version was read; nothing is noted. */
        LOST
    }
}
