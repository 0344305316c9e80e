// SPDX-License-Identifier: Apache-2.0
package com.example.readme;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The orders that are not paid in time: a table of your database. */
class OrderBook {

    private final Set<String> closed = ConcurrentHashMap.newKeySet();

    void closeUnlessPaid(String orderId) {
        closed.add(orderId);
    }

    boolean isClosed(String orderId) {
        return closed.contains(orderId);
    }
}
