// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.redis;

import org.junit.jupiter.api.Nested;

/** The store on this machine's server; without one these tests fail. */
class RedisTaskStoreInstalledIntegrationTests {

    private static final RedisBinary SERVER = RedisBinary.INSTALLED;

    @Nested
    class Schedule extends ScheduleContract {
        Schedule() {
            super(SERVER);
        }
    }

    @Nested
    class Acquire extends AcquireContract {
        Acquire() {
            super(SERVER);
        }
    }

    @Nested
    class Settle extends SettleContract {
        Settle() {
            super(SERVER);
        }
    }

    @Nested
    class Renew extends RenewContract {
        Renew() {
            super(SERVER);
        }
    }

    @Nested
    class Dead extends DeadContract {
        Dead() {
            super(SERVER);
        }
    }

    @Nested
    class Pause extends PauseContract {
        Pause() {
            super(SERVER);
        }
    }

    @Nested
    class Damage extends DamageContract {
        Damage() {
            super(SERVER);
        }
    }

    @Nested
    class Wake extends WakeContract {
        Wake() {
            super(SERVER);
        }
    }

    @Nested
    class FullMemory extends FullMemoryContract {
        FullMemory() {
            super(SERVER);
        }
    }

    @Nested
    class Outage extends OutageContract {
        Outage() {
            super(SERVER);
        }
    }
}
