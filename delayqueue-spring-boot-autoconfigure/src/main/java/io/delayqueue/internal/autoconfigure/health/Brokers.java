// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.health;

import java.util.Map;
import java.util.Optional;

/** The states of this process's brokers and intakes. */
public interface Brokers {

    /** Returns the states by connection name. Does not block. */
    Map<String, State> states();

    /**
     * Returns the intakes by name, each with the reason why it currently accepts no messages, or empty if it accepts
     * messages. Does not block.
     */
    Map<String, Optional<String>> intakes();

    /**
     * The state of a broker.
     *
     * @param connected whether there is a connection; it is opened when a trigger first needs it
     * @param blocked whether the broker has blocked its publishers
     * @param unreachable whether the last attempt to connect failed
     */
    record State(boolean connected, boolean blocked, boolean unreachable) {}
}
