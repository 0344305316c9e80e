// SPDX-License-Identifier: Apache-2.0
package com.example.operations;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.ListedTask;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.TaskIds;
import io.delayqueue.TaskPage;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.admin.TaskQuery;
import io.delayqueue.control.BulkOperations;
import io.delayqueue.control.TaskFilter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** The calls of docs/operations.md. */
class Operations {

    private final DelayQueueAdmin admin;
    private final DelayQueueOperations delayQueue;
    private final BulkOperations bulk;

    Operations(DelayQueueAdmin admin, DelayQueueOperations delayQueue, BulkOperations bulk) {
        this.admin = admin;
        this.delayQueue = delayQueue;
        this.bulk = bulk;
    }

    void list() {
        admin.statsByQueue().forEach((queue, stats) -> System.out.println(queue + " " + stats));
        // orders QueueStats[delayed=0, heldBack=0, ready=50, leased=0, dead=10000, nextAttention=Optional[…],
        // pause=Optional[QueuePause[since=…, until=null, by=, reason=]]]
    }

    void live() {
        TaskQuery query = TaskQuery.first(100)
                .between(Instant.now(), Instant.now().plus(Duration.ofHours(1)))
                .withIdPrefix(TaskIds.keyPrefix("customer-7"));
        TaskPage<ListedTask> tasks;
        do {
            tasks = admin.liveTasks("orders", query);
            tasks.content().forEach(System.out::println);
            query = query.after(tasks.position());
        } while (tasks.hasNext());
    }

    void afterAnOutage(Instant endOfOutage, Instant tomorrow) {
        TaskFilter missed = TaskFilter.ALL.between(null, endOfOutage);
        TaskFilter next = TaskFilter.ALL.between(endOfOutage, tomorrow);
        bulk.cancel("orders", missed);
        bulk.deliver("orders", next, 500); // at most 500 become due in a second
    }

    void postpone(TaskFilter next, Instant tomorrow) {
        bulk.shift("orders", next, Duration.ofHours(1));
        bulk.spread("orders", next, tomorrow, Duration.ofHours(1));
    }

    void steer() {
        admin.pause("orders"); // until resumed; a paused queue keeps its reason
        admin.pause("orders", "ada", "deploying", Duration.ofMinutes(10)); // ends automatically
        admin.resume("orders");
        admin.reshard("orders", 8); // QueueSharding[shards=8, configured=1, migratingFrom=OptionalInt[1]]
        admin.sharding("orders").isMigrating(); // until every task is in its shard
        admin.discard("orders", "order-42"); // only if it is dead; cancel deletes it live or dead
        admin.purge("orders", "orders"); // the name twice, or InvalidTaskException
    }

    void dead() {
        TaskQuery query = TaskQuery.first(100);
        TaskPage<ListedTask> tasks;
        do {
            tasks = admin.deadTasks("orders", query);
            tasks.content().forEach(System.out::println);
            query = query.after(tasks.position());
        } while (tasks.hasNext());
    }

    void redrive() {
        admin.redrive("orders", "order-42"); // one: due at once, attempts counted anew
        admin.redrive("orders", List.of("order-42", "order-43"));
        admin.redrive("orders", List.of("order-42", "order-43"), 10); // 10 become due in a second
        admin.redriveAll("orders", 1_000); // all: 1,000 become due in a second
    }

    void scheduleOnAReplicaToo(Object p, Duration d) {
        delayQueue.schedule(ScheduleRequest.to("orders")
                .id("order-42")
                .payload(p)
                .dueIn(d)
                .minReplicas(1)
                .build());
    }
}
