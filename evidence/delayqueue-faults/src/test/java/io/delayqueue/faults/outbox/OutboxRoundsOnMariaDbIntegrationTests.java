// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.outbox;

import org.junit.jupiter.api.Tag;

/** On a real MariaDB. */
@Tag("long")
class OutboxRoundsOnMariaDbIntegrationTests extends OutboxRoundsContract {

    @Override
    RoundsDatabase database() {
        return RoundsDatabase.MARIADB;
    }
}
