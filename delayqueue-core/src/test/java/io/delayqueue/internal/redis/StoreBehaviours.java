// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import java.util.function.Supplier;
import org.junit.jupiter.api.Nested;

/** The contracts that every kind of store keeps, as they ask nothing but the store itself. */
public abstract class StoreBehaviours {

    private final Supplier<ContractStore> stores;

    /** @param stores gives each test what it clears and uses */
    protected StoreBehaviours(Supplier<ContractStore> stores) {
        this.stores = stores;
    }

    @Nested
    class Schedule extends ScheduleContract {
        Schedule() {
            super(stores.get());
        }
    }

    @Nested
    class Debounce extends DebounceContract {
        Debounce() {
            super(stores.get());
        }
    }

    @Nested
    class Groups extends GroupContract {
        Groups() {
            super(stores.get());
        }
    }

    @Nested
    class Acquire extends AcquireContract {
        Acquire() {
            super(stores.get());
        }
    }

    @Nested
    class Settle extends SettleContract {
        Settle() {
            super(stores.get());
        }
    }

    @Nested
    class FailedAttempts extends FailedAttemptsContract {
        FailedAttempts() {
            super(stores.get());
        }
    }

    @Nested
    class Histories extends HistoryContract {
        Histories() {
            super(stores.get());
        }
    }

    @Nested
    class Rounds extends RoundContract {
        Rounds() {
            super(stores.get());
        }
    }

    @Nested
    class Late extends TooLateContract {
        Late() {
            super(stores.get());
        }
    }

    @Nested
    class Order extends OrderContract {
        Order() {
            super(stores.get());
        }
    }

    @Nested
    class Renew extends RenewContract {
        Renew() {
            super(stores.get());
        }
    }

    @Nested
    class Live extends LiveContract {
        Live() {
            super(stores.get());
        }
    }

    @Nested
    class LiveInOrder extends LiveOrderContract {
        LiveInOrder() {
            super(stores.get());
        }
    }

    @Nested
    class Dead extends DeadContract {
        Dead() {
            super(stores.get());
        }
    }

    @Nested
    class Pause extends PauseContract {
        Pause() {
            super(stores.get());
        }
    }

    @Nested
    class Migrations extends MigrationContract {
        Migrations() {
            super(stores.get());
        }
    }

    @Nested
    class Layouts extends LayoutContract {
        Layouts() {
            super(stores.get());
        }
    }

    @Nested
    class Wake extends WakeContract {
        Wake() {
            super(stores.get());
        }
    }
}
