// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc.autoconfigure;

import io.delayqueue.internal.jdbc.outbox.Callers;
import io.delayqueue.internal.jdbc.outbox.OutboxDialect;
import io.delayqueue.internal.jdbc.outbox.OutboxTable;
import io.delayqueue.internal.jdbc.relay.RelaySettings;

/** What the writer and the relay of the outbox share. */
record OutboxParts(OutboxDialect dialect, OutboxTable table, Callers callers, RelaySettings settings) {}
