// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.relay;

import java.time.Duration;
import java.util.List;

/** Rows that wait to be sent. */
interface Source {

    /**
     * Takes rows that this process may send, in a transaction that ends before this returns.
     *
     * @param most maximum number of rows
     * @throws org.springframework.dao.DataAccessException if the database fails
     */
    List<TakenRow> take(int most);

    /** Returns the time until there may be rows to take. A signal from another thread may shorten the wait. */
    Duration untilNext();
}
