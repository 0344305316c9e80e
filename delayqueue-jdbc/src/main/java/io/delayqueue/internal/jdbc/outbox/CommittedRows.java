// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.outbox;

import java.util.List;

/** Hears of what transactions of this process have committed, on their threads. No method blocks. */
public interface CommittedRows {

    /** Sends these rows soon. */
    void send(List<FreshRow> rows);

    /**
     * Operations were added to rows that were there, of which this process may be sending some: they follow when it has
     * written down what it has sent.
     */
    void added();
}
