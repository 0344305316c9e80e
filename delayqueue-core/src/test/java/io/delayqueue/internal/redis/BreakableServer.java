// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

/** A server that a test can take away. */
interface BreakableServer {

    int port();

    /** As {@code kill -9}. */
    void kill();

    /** Restarts on the same port with the same data. */
    void restart();
}
