// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc.autoconfigure;

import io.delayqueue.internal.jdbc.outbox.Callers;
import io.delayqueue.internal.jdbc.outbox.OutboxTable;
import io.delayqueue.internal.jdbc.relay.OutboxRelay;
import io.delayqueue.internal.jdbc.schema.Database;

/** What the beans of the outbox share once the application uses it. */
record OutboxParts(Database database, OutboxTable table, Callers callers, OutboxRelay relay) {}
