// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.check;

import io.delayqueue.TaskIds;
import io.delayqueue.faults.history.Event;
import io.delayqueue.internal.queue.Rate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * {@link Rule#OVER_LIMIT}: the tasks of a key are not acquired faster than its rate and its burst allow, and no more of
 * its deliveries are in progress than its concurrency allows. A delivery counts only while it was certainly in
 * progress: from the reply to its acquire until its end was sent, its lease ended, or a call may have ended it.
 */
record WithinLimits(CheckSettings settings) {

    private static final long TENTH_OF_A_SECOND = 100_000;

    List<Finding> judge(Run run) {
        List<Finding> findings = new ArrayList<>();
        if (settings.keyRate() == null && settings.keyConcurrency() == 0) {
            return findings;
        }
        Map<String, List<Delivery>> byKey = new TreeMap<>();
        for (TaskHistory task : run.tasks()) {
            if (!settings.brokerQueues().contains(task.queue)) {
                TaskIds.keyOf(task.id)
                        .ifPresent(key -> task.leases.stream()
                                .filter(lease -> lease.acquired() != null
                                        && lease.acquired().shard() >= 0)
                                .forEach(lease -> byKey.computeIfAbsent(
                                                task.queue + " " + key, any -> new ArrayList<>())
                                        .add(new Delivery(task, lease, Objects.requireNonNull(lease.acquired())))));
            }
        }
        byKey.values().forEach(deliveries -> {
            deliveries.sort(Comparator.comparingLong(each -> each.acquired().redisMicros()));
            judge(deliveries, findings);
        });
        return findings;
    }

    private void judge(List<Delivery> deliveries, List<Finding> findings) {
        Flow flow = new Flow();
        for (int i = 0; i < deliveries.size(); i++) {
            Delivery next = deliveries.get(i);
            Delivery before = deliveries.get(Math.max(0, i - 1));
            boolean isClockSet =
                    settings.isClockSet(before.lease().from(), next.lease().at());
            if (flow.isTooSoon(before, next, isClockSet)) {
                findings.add(next.finding("was acquired too soon after other tasks of its key", before));
            }
            if (isClockSet) {
                continue;
            }
            if (settings.keyConcurrency() > 0) {
                List<Delivery> others = deliveries.subList(0, i).stream()
                        .filter(each -> isInProgress(each, next))
                        .toList();
                if (others.size() >= settings.keyConcurrency()) {
                    findings.add(next.finding(
                            "was acquired while " + others.size() + " other deliveries of its key were in progress",
                            others.get(0)));
                }
            }
        }
    }

    /** The rate of a key, counted again by the generic cell rate algorithm. */
    private final class Flow {

        private long arrival;

        /** The reply to an acquire has a reading of the clock that is a little later than its decision. */
        boolean isTooSoon(Delivery before, Delivery next, boolean isClockSet) {
            Rate rate = settings.keyRate();
            if (rate == null) {
                return false;
            }
            if (isClockSet
                    || settings.mayBeUndone(before.lease().from(), next.lease().at())) {
                arrival = 0;
            }
            long interval = rate.intervalMicros();
            long mayBeAhead =
                    rate.burst() > 0 ? (rate.burst() - 1) * interval : Math.max(0, TENTH_OF_A_SECOND - interval);
            long at = next.acquired().redisMicros();
            boolean isTooSoon =
                    arrival - at > mayBeAhead + settings.clockTolerance().toNanos() / 1000;
            arrival = Math.max(arrival, at) + interval;
            return isTooSoon;
        }
    }

    /** Returns whether a delivery was certainly in progress when the other task was acquired. Leases end in whole ms. */
    private boolean isInProgress(Delivery delivery, Delivery other) {
        Lease lease = delivery.lease();
        long acquired = lease.at();
        long moment = other.lease().at();
        return lease.acquired() != other.lease().acquired()
                && acquired <= other.lease().from()
                && other.acquired().redisMicros() / 1000
                        < delivery.acquired().redisMicros() / 1000
                                + delivery.acquired().leaseMillis()
                && lease.settlements.stream()
                        .noneMatch(settlement -> settlement.sent().micros() <= moment)
                && delivery.task().ops.stream().noneMatch(op -> op.begin() <= moment && op.end() >= lease.from())
                && !settings.mayBeUndone(lease.from(), moment);
    }

    private record Delivery(TaskHistory task, Lease lease, Event.Acquired acquired) {

        Finding finding(String what, Delivery other) {
            List<Lease> both = List.of(other.lease, lease);
            return task.finding(Rule.OVER_LIMIT, what, List.of(), both);
        }
    }
}
