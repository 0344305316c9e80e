// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.outbox;

import org.junit.jupiter.api.Tag;

/** On a real PostgreSQL, through a PgBouncer. */
@Tag("long")
class OutboxRoundsOnPgBouncerIntegrationTests extends OutboxRoundsContract {

    @Override
    RoundsDatabase database() {
        return RoundsDatabase.PGBOUNCER;
    }
}
