// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.outbox;

/** On a real PostgreSQL, through a PgBouncer. */
class OutboxRoundsOnPgBouncerIntegrationTests extends OutboxRoundsContract {

    @Override
    RoundsDatabase database() {
        return RoundsDatabase.PGBOUNCER;
    }
}
