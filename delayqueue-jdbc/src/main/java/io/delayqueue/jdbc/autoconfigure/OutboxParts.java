// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc.autoconfigure;

import io.delayqueue.internal.jdbc.outbox.Callers;
import io.delayqueue.internal.jdbc.outbox.OutboxTable;
import io.delayqueue.internal.jdbc.relay.OutboxRelay;
import io.delayqueue.internal.jdbc.schema.Database;

/** Parts that the outbox's beans share once the application uses them. */
record OutboxParts(Database database, OutboxTable table, Callers callers, OutboxRelay relay) {}
