// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.load;

/**
 * The payload of a task.
 *
 * @param version a version that is unique to each request
 * @param behaviour behaviour of its handler
 */
public record Work(String version, Behaviour behaviour) {

    /** The behaviours of a handler. */
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
