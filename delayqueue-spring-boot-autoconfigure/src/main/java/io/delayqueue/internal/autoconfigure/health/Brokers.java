// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.health;

import java.util.Map;
import java.util.Optional;

/** The states of the brokers that this process publishes to, and of the intakes that consume from them. */
public interface Brokers {

    /** Returns the states by the names of the connections. Does not block. */
    Map<String, State> states();

    /** Returns by the name of each intake why it takes no messages now; empty if it takes them. Does not block. */
    Map<String, Optional<String>> intakes();

    /**
     * The state of one broker.
     *
     * @param connected whether there is a connection, which is made when a trigger first asks
     * @param blocked whether the broker has asked its publishers to wait
     * @param unreachable whether the last attempt to connect failed
     */
    record State(boolean connected, boolean blocked, boolean unreachable) {}
}
