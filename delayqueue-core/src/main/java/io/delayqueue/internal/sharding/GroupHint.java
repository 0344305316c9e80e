// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.sharding;

import io.delayqueue.TaskIds;
import io.delayqueue.internal.concurrent.Guard;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs a hint when a call by a plain id finds no task in a queue where this process has scheduled tasks with a key or a
 * group. The id of such a task contains the key or the group. Logs once per queue. Does not call Redis.
 */
final class GroupHint {

    private static final Logger log = LoggerFactory.getLogger(GroupHint.class);

    private final Set<String> grouped = ConcurrentHashMap.newKeySet();
    private final Set<String> told = ConcurrentHashMap.newKeySet();

    void scheduled(String queue, String id) {
        if (isBraced(id)
                && !grouped.contains(queue)
                && (TaskIds.keyOf(id).isPresent() || TaskIds.groupOf(id).isPresent())) {
            grouped.add(queue);
        }
    }

    void missed(String queue, String id) {
        if (!isBraced(id) && grouped.contains(queue) && told.add(queue)) {
            Guard.tell(() -> log.info(
                    "Queue '{}': no task has the id '{}'. If you scheduled it with a key or in a group, use"
                            + " key(name).task(id) or group(name).task(id). Logged once per queue",
                    queue,
                    id));
        }
    }

    private static boolean isBraced(String id) {
        return !id.isEmpty() && id.charAt(0) == '{';
    }
}
