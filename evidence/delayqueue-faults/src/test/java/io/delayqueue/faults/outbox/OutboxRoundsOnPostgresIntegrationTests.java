// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.outbox;

/** On a real PostgreSQL. */
class OutboxRoundsOnPostgresIntegrationTests extends OutboxRoundsContract {

    @Override
    RoundsDatabase database() {
        return RoundsDatabase.POSTGRES;
    }
}
