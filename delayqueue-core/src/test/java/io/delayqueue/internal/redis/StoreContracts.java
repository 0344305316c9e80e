// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import org.junit.jupiter.api.Nested;

/** All contracts of the store; a subclass says on which kind of servers they run. */
abstract class StoreContracts {

    private final StoreServers servers;

    StoreContracts(StoreServers servers) {
        this.servers = servers;
    }

    @Nested
    class Schedule extends ScheduleContract {
        Schedule() {
            super(servers);
        }
    }

    @Nested
    class Acquire extends AcquireContract {
        Acquire() {
            super(servers);
        }
    }

    @Nested
    class Settle extends SettleContract {
        Settle() {
            super(servers);
        }
    }

    @Nested
    class Renew extends RenewContract {
        Renew() {
            super(servers);
        }
    }

    @Nested
    class Dead extends DeadContract {
        Dead() {
            super(servers);
        }
    }

    @Nested
    class Pause extends PauseContract {
        Pause() {
            super(servers);
        }
    }

    @Nested
    class Transfers extends MigrationContract {
        Transfers() {
            super(servers);
        }
    }

    @Nested
    class Layouts extends LayoutContract {
        Layouts() {
            super(servers);
        }
    }

    @Nested
    class Damage extends DamageContract {
        Damage() {
            super(servers);
        }
    }

    @Nested
    class Wake extends WakeContract {
        Wake() {
            super(servers);
        }
    }

    @Nested
    class FullMemory extends FullMemoryContract {
        FullMemory() {
            super(servers);
        }
    }

    @Nested
    class LostScripts extends LostScriptsContract {
        LostScripts() {
            super(servers);
        }
    }

    @Nested
    class Outage extends OutageContract {
        Outage() {
            super(servers);
        }
    }
}
