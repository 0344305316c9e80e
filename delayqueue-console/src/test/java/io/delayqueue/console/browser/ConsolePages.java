// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.console.browser;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The addresses of all kinds of pages by their names. The queue mails has a task m, and the queue orders a dead task d.
 */
final class ConsolePages {

    private ConsolePages() {}

    static Map<String, String> all() {
        Map<String, String> pages = new LinkedHashMap<>();
        pages.put("queues", "/");
        pages.put("queue", "/queues/mails?zoom=week");
        pages.put("tasks", "/queues/mails/tasks");
        pages.put("dead-tasks", "/queues/orders/tasks?state=dead");
        pages.put("task", "/queues/mails/task?id=m");
        pages.put("dead-task", "/queues/orders/task?id=d");
        pages.put("no-task", "/queues/mails/task?id=none");
        pages.put("search", "/search?id=m");
        pages.put("search-parts", "/search?id=none");
        pages.put("retrying", "/queues/mails/tasks?retrying=true");
        pages.put("keys", "/queues/mails/keys?key=clinic-17");
        pages.put("reasons", "/queues/orders/reasons");
        pages.put("change-many", "/queues/mails/bulk");
        pages.put("instances", "/instances");
        pages.put("operations", "/operations");
        return pages;
    }
}
