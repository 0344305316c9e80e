// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.health;

import java.util.Map;

/** How the brokers are that this process publishes to. */
public interface Brokers {

    /** By the names of their connections. Does not block. */
    Map<String, State> states();

    /**
     * How one is.
     *
     * @param connected whether there is a connection, which is made when a task is due
     * @param blocked whether the broker has asked its publishers to wait
     */
    record State(boolean connected, boolean blocked) {}
}
