// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.outbox;

import java.util.List;

/** Receives the rows that transactions of this process have committed, on their threads. Does not block. */
public interface CommittedRows {

    /**
     * Requests that these rows be sent.
     *
     * @param rows new rows
     * @param added whether operations were added to existing rows. If this process is sending such a row, it then
     *     records the sent operations at once and sends the added ones
     */
    void committed(List<FreshRow> rows, boolean added);
}
