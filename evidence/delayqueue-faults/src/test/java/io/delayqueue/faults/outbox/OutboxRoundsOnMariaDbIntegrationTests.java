// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.outbox;

/** On a real MariaDB. */
class OutboxRoundsOnMariaDbIntegrationTests extends OutboxRoundsContract {

    @Override
    RoundsDatabase database() {
        return RoundsDatabase.MARIADB;
    }
}
