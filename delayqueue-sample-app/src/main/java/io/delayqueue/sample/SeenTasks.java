// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.sample;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Remembers the last tasks by their keys, to drop duplicates: delivery is at least once. A real shop keeps this in its
 * database, in the transaction that closes the order.
 */
final class SeenTasks {

    private final Set<String> keys;

    SeenTasks(int capacity) {
        Map<String, Boolean> lru = new LinkedHashMap<>() {
            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
                return size() > capacity;
            }
        };
        this.keys = Collections.synchronizedSet(Collections.newSetFromMap(lru));
    }

    boolean firstTime(String taskKey) {
        return keys.add(taskKey);
    }
}
