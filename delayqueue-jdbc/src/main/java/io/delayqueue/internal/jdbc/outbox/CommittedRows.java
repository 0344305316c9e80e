// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.outbox;

import java.util.List;

/** Takes over what transactions of this process have committed, on their threads. Does not block. */
public interface CommittedRows {

    /**
     * Sends rows soon.
     *
     * @param rows that are new
     * @param added whether operations were added to rows that were there. This process may be sending some of these: the
     *     operations follow when it has written down what it has sent
     */
    void committed(List<FreshRow> rows, boolean added);
}
