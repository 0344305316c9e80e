// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.load;

/**
 * The payload of a task.
 *
 * @param version no two requests have the same
 * @param behaviour what its handler does
 */
public record Work(String version, Behaviour behaviour) {

    /** The ways a handling can go. */
    public enum Behaviour {
        /** Returns. */
        SUCCEED,
        /** Returns after a while. */
        SUCCEED_SLOWLY,
        /** Fails the first time it is handled. */
        FAIL_ONCE,
        /** Fails whenever it is handled. */
        FAIL_ALWAYS
    }
}
