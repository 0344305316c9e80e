// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.relay;

import java.time.Duration;
import java.util.List;

/** Rows that wait to be sent. */
interface Source {

    /**
     * Takes rows that this process may send, in a transaction that has ended when this returns.
     *
     * @param most how many
     * @throws org.springframework.dao.DataAccessException if the database fails
     */
    List<TakenRow> take(int most);

    /** Returns how long to wait before there may be rows to take. Another thread may shorten it with a signal. */
    Duration untilNext();
}
