// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.health;

import java.util.Map;
import java.util.Optional;

/** The states of the brokers that this process publishes to, and of the intakes that consume from them. */
public interface Brokers {

    /** Returns the states by connection name. Does not block. */
    Map<String, State> states();

    /**
     * Returns, for each intake by name, the reason why it does not accept messages now; empty if it accepts them. Does
     * not block.
     */
    Map<String, Optional<String>> intakes();

    /**
     * The state of a broker.
     *
     * @param connected whether there is a connection, which is opened when a trigger first needs it
     * @param blocked whether the broker has blocked its publishers
     * @param unreachable whether the last attempt to connect failed
     */
    record State(boolean connected, boolean blocked, boolean unreachable) {}
}
