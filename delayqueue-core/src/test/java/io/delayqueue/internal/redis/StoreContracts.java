// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import org.junit.jupiter.api.Nested;

/** All contracts of the store in Redis; a subclass defines the kind of servers. */
abstract class StoreContracts {

    private final StoreServers servers;

    StoreContracts(StoreServers servers) {
        this.servers = servers;
    }

    @Nested
    class Schedule extends ScheduleContract {
        Schedule() {
            super(servers.shared());
        }
    }

    @Nested
    class Debounce extends DebounceContract {
        Debounce() {
            super(servers.shared());
        }
    }

    @Nested
    class Groups extends GroupContract {
        Groups() {
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
    class Limits extends LimitsContract {
        Limits() {
            super(servers);
        }
    }

    @Nested
    class Settle extends SettleContract {
        Settle() {
            super(servers.shared());
        }
    }

    @Nested
    class FailedAttempts extends FailedAttemptsContract {
        FailedAttempts() {
            super(servers.shared());
        }
    }

    @Nested
    class Histories extends HistoryContract {
        Histories() {
            super(servers);
        }
    }

    @Nested
    class Rounds extends RoundContract {
        Rounds() {
            super(servers.shared());
        }
    }

    @Nested
    class Late extends TooLateContract {
        Late() {
            super(servers.shared());
        }
    }

    @Nested
    class Order extends OrderContract {
        Order() {
            super(servers.shared());
        }
    }

    @Nested
    class Renew extends RenewContract {
        Renew() {
            super(servers.shared());
        }
    }

    @Nested
    class Live extends LiveContract {
        Live() {
            super(servers.shared());
        }
    }

    @Nested
    class LiveInOrder extends LiveOrderContract {
        LiveInOrder() {
            super(servers.shared());
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
            super(servers.shared());
        }
    }

    @Nested
    class Migrations extends MigrationContract {
        Migrations() {
            super(servers);
        }
    }

    @Nested
    class Shardings extends ShardingContract {
        Shardings() {
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
    class Standstill extends StandstillContract {
        Standstill() {
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
