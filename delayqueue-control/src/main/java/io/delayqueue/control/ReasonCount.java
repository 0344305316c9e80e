// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.control;

import io.delayqueue.admin.DeadTask;
import io.delayqueue.admin.DeadTaskPage;
import io.delayqueue.admin.DeadTaskPageRequest;
import io.delayqueue.admin.DelayQueueAdmin;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Counts dead tasks by their reasons, with bounded work: the longest dead of each shard first. */
final class ReasonCount {

    private static final int PAGE = 500;
    private static final int MOST_LOOKED_AT = 10_000;
    private static final int MOST_REASONS = 200;

    private final DelayQueueAdmin admin;

    ReasonCount(DelayQueueAdmin admin) {
        this.admin = admin;
    }

    DeadReasons of(String queue) {
        Map<String, DeadReasons.Reason> reasons = new HashMap<>();
        long looked = 0;
        Optional<DeadTaskPageRequest> next = Optional.of(DeadTaskPageRequest.first(PAGE));
        while (next.isPresent() && looked < MOST_LOOKED_AT) {
            DeadTaskPage page = admin.deadTasks(queue, next.get());
            for (DeadTask task : page.tasks()) {
                reasons.merge(task.reason().orElse(""), one(task), ReasonCount::sum);
            }
            looked += page.tasks().size();
            next = page.next();
        }
        List<DeadReasons.Reason> most = new ArrayList<>(reasons.values());
        most.sort(Comparator.comparingLong(DeadReasons.Reason::count)
                .reversed()
                .thenComparing(DeadReasons.Reason::reason));
        return new DeadReasons(
                List.copyOf(most.subList(0, Math.min(MOST_REASONS, most.size()))), looked, next.isEmpty());
    }

    private static DeadReasons.Reason one(DeadTask task) {
        return new DeadReasons.Reason(task.reason().orElse(""), 1, task.diedAt(), task.diedAt());
    }

    private static DeadReasons.Reason sum(DeadReasons.Reason one, DeadReasons.Reason other) {
        return new DeadReasons.Reason(
                one.reason(),
                one.count() + other.count(),
                one.firstAt().isBefore(other.firstAt()) ? one.firstAt() : other.firstAt(),
                one.lastAt().isAfter(other.lastAt()) ? one.lastAt() : other.lastAt());
    }
}
