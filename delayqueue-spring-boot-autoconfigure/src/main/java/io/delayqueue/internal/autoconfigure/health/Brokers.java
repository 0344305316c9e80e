// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.health;

import java.util.Map;

/** The states of the brokers that this process publishes to. */
public interface Brokers {

    /** Returns the states by the names of the connections. Does not block. */
    Map<String, State> states();

    /**
     * The state of one broker.
     *
     * @param connected whether there is a connection, which is made when a trigger first asks
     * @param blocked whether the broker has asked its publishers to wait
     * @param unreachable whether the last attempt to connect failed
     */
    record State(boolean connected, boolean blocked, boolean unreachable) {}
}
