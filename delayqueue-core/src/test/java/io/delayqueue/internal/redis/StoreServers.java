// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

/** A kind of servers that the contracts can run on. */
interface StoreServers {

    /** Returns the servers that all contracts of this kind share, which live as long as this JVM. */
    TestRedis shared();

    /**
     * For a contract that breaks it: each answered write is with the operating system, which keeps it when the server
     * is killed, and a kill leaves the other contracts alone.
     */
    TestRedis breakable();
}
