// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.guide.timeouts;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.stereotype.Component;

/** Stands for a table; a move is {@code UPDATE orders SET status = ? WHERE id = ? AND status = ?}. */
@Component
class OrderTable {

    private final Map<String, String> statuses = new ConcurrentHashMap<>();

    void insert(String id) {
        statuses.put(id, "OPEN");
    }

    boolean move(String id, String from, String to) {
        return statuses.replace(id, from, to);
    }

    String status(String id) {
        return statuses.getOrDefault(id, "NONE");
    }
}
