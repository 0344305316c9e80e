// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import org.junit.jupiter.api.Nested;

/** All contracts of the store, on a server that stands alone. */
abstract class SingleServerContracts extends StoreContracts {

    private final StoreServers servers;

    SingleServerContracts(StoreServers servers) {
        super(servers);
        this.servers = servers;
    }

    @Nested
    class Demotion extends DemotionContract {
        Demotion() {
            super(servers);
        }
    }
}
