// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.outbox;

import io.delayqueue.faults.check.Finding;
import io.delayqueue.faults.check.Rule;
import io.delayqueue.faults.outbox.Journal.Change;
import io.delayqueue.faults.outbox.Journal.Task;
import io.delayqueue.handler.DelayedTask;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;

/**
 * The deliveries of the tasks that were due soon, and the deliveries that are allowed. If an operation is repeated
 * after the delivery of its task, the task is delivered a second time. If a row has several schedule operations, the
 * task of an earlier operation may be delivered a second time before the later task. Safe for use by multiple threads.
 */
final class Deliveries {

    /** The units of a fencing token per millisecond; a token is the clock of Redis at the beginning of the delivery. */
    private static final long TOKENS_PER_MILLI = 100;

    private final Queue<Delivery> all = new ConcurrentLinkedQueue<>();

    void add(DelayedTask<String> task) {
        add(task.id(), task.payload(), task.taskKey(), task.lease().fencingToken());
    }

    void add(String id, String version, String key, long token) {
        all.add(new Delivery(id, version, key, token));
    }

    /** Returns the number of repeated deliveries of the same task. */
    int repeated() {
        Set<String> keys = new HashSet<>();
        int repeated = 0;
        for (Delivery delivery : all) {
            repeated += keys.add(delivery.key()) ? 0 : 1;
        }
        return repeated;
    }

    /** Returns violations. Considers all ids with committed changes that were due soon. */
    List<Finding> judge(List<Settled> settled) {
        Map<String, List<Delivery>> byId = new HashMap<>();
        all.stream()
                .sorted(Comparator.comparingLong(Delivery::token))
                .forEach(delivery -> byId.computeIfAbsent(delivery.id(), any -> new ArrayList<>())
                        .add(delivery));
        List<Finding> findings = new ArrayList<>();
        for (Settled id : settled) {
            List<Delivery> deliveries = byId.remove(id.id());
            judge(id, deliveries == null ? List.of() : deliveries, findings);
        }
        byId.forEach((id, deliveries) -> findings.add(new Finding(
                Rule.UNEXPECTED,
                OutboxRounds.QUEUE,
                id,
                deliveries + " were delivered, and never committed",
                List.of())));
        return findings;
    }

    private static void judge(Settled id, List<Delivery> deliveries, List<Finding> findings) {
        Set<String> committed = id.versions();
        Map<String, String> keys = new HashMap<>();
        Map<String, String> versions = new HashMap<>();
        for (Delivery delivery : deliveries) {
            if (!committed.contains(delivery.version())) {
                findings.add(id.finding(Rule.UNEXPECTED, delivery + " was delivered, and never committed"));
            }
            String key = keys.putIfAbsent(delivery.version(), delivery.key());
            if (key != null && !key.equals(delivery.key()) && !id.isRescheduled()) {
                findings.add(id.finding(Rule.DUPLICATE, delivery + " came again as another task"));
            }
            String version = versions.putIfAbsent(delivery.key(), delivery.version());
            if (version != null && !version.equals(delivery.version())) {
                findings.add(id.finding(Rule.DUPLICATE, delivery + " came with the key of " + version));
            }
        }
        if (id.isOrdered()) {
            judgeOrder(id, deliveries, findings);
        }
    }

    private static void judgeOrder(Settled id, List<Delivery> deliveries, List<Finding> findings) {
        Task expected = Journal.expected(id.committed());
        for (Delivery delivery : deliveries) {
            boolean holds = expected != null && expected.version().equals(delivery.version());
            if (!holds && delivery.token() / TOKENS_PER_MILLI > id.atMillis()) {
                Rule rule = expected == null ? Rule.CANCELLED : Rule.REPLACED;
                findings.add(id.finding(rule, delivery + " began after the outbox was empty"));
            }
        }
        if (expected == null) {
            return;
        }
        List<String> delivered = deliveries.stream().map(Delivery::version).toList();
        String found = expected + " was committed last, delivered were " + delivered;
        if (!delivered.contains(expected.version())) {
            findings.add(id.finding(Rule.LOST, found));
        } else if (!delivered.get(delivered.size() - 1).equals(expected.version())) {
            findings.add(id.finding(Rule.COMMIT_ORDER, found));
        }
    }

    private record Delivery(String id, String version, String key, long token) {}

    /**
     * The state of an id when the outbox was empty.
     *
     * @param what description of the round
     * @param atMillis time by the clock of Redis, or later
     * @param committed committed changes in the order of the commits
     * @param isOrdered whether they are guaranteed to take effect in that order
     */
    record Settled(String what, String id, long atMillis, List<Change> committed, boolean isOrdered) {

        Set<String> versions() {
            return committed.stream()
                    .map(Change::version)
                    .filter(Objects::nonNull)
                    .collect(Collectors.toSet());
        }

        /**
         * Returns whether the task was rescheduled. If a delivery had begun by then, the rescheduled task is another
         * task.
         */
        boolean isRescheduled() {
            return committed.stream().anyMatch(change -> change.verb() == Change.Verb.RESCHEDULE);
        }

        Finding finding(Rule rule, String found) {
            return new Finding(rule, OutboxRounds.QUEUE, id, what + ": " + found, List.of());
        }
    }
}
