// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import org.junit.jupiter.api.Nested;

/** All contracts of the store in Redis; a subclass defines the kind of servers. */
abstract class StoreContracts extends ScriptContracts {

    private final StoreServers servers;

    StoreContracts(StoreServers servers) {
        super(servers);
        this.servers = servers;
    }

    @Nested
    class Outage extends OutageContract {
        Outage() {
            super(servers);
        }
    }
}
