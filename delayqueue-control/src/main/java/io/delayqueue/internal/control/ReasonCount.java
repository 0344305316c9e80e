// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import io.delayqueue.ListedTask;
import io.delayqueue.TaskPage;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.admin.TaskQuery;
import io.delayqueue.control.TaskFilter;
import io.delayqueue.internal.admin.TaskPosition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Counts dead tasks by reason, oldest death first within each shard. Ends after 10,000 tasks, counted or not, or after
 * {@link TaskPages#LONGEST}.
 */
final class ReasonCount {

    private static final int PAGE = 500;
    private static final int MOST_READ = 10_000;
    private static final int MOST_SHOWN = 200;
    private static final int TWENTIETHS = 20;

    private final DelayQueueAdmin admin;

    ReasonCount(DelayQueueAdmin admin) {
        this.admin = admin;
    }

    /** @param filter only its time range is used */
    DeadReasons of(String queue, TaskFilter filter) {
        Map<String, DeadReasons.Reason> reasons = new HashMap<>();
        Map<String, List<Instant>> deaths = new HashMap<>();
        long looked = 0;
        long read = 0;
        long begin = System.nanoTime();
        Instant from = filter.from();
        Instant until = filter.until();
        TaskPosition position = from == null ? null : new TaskPosition(0, from, "");
        boolean more = true;
        while (more && read < MOST_READ && System.nanoTime() - begin < TaskPages.LONGEST.toNanos()) {
            TaskQuery query = TaskQuery.first(PAGE).after(position == null ? null : position.text());
            TaskPage<ListedTask> dead = admin.deadTasks(queue, query);
            read += dead.content().size();
            for (ListedTask task : dead.content()) {
                Instant diedAt = task.nextAttentionAt();
                if (isWithin(diedAt, filter)) {
                    String reason = task.lastReason().orElse("");
                    reasons.merge(reason, one(reason, diedAt), ReasonCount::sum);
                    deaths.computeIfAbsent(reason, key -> new ArrayList<>()).add(diedAt);
                    looked++;
                }
            }
            more = dead.position() != null;
            if (dead.position() != null) {
                position = since(from, TaskPages.behind(until, TaskPosition.parse(dead.position())));
            }
        }
        return new DeadReasons(
                most(reasons.values(), Comparator.comparingLong(DeadReasons.Reason::count), DeadReasons.Reason::reason),
                most(kinds(reasons, deaths), Comparator.comparingLong(DeadReasons.Kind::count), DeadReasons.Kind::kind),
                looked,
                !more);
    }

    /** Skips the tasks of a shard that died before the range. */
    private static TaskPosition since(@Nullable Instant from, TaskPosition position) {
        return from != null && position.at().isBefore(from) ? new TaskPosition(position.shard(), from, "") : position;
    }

    private static boolean isWithin(Instant diedAt, TaskFilter filter) {
        Instant from = filter.from();
        Instant until = filter.until();
        return (from == null || !diedAt.isBefore(from)) && (until == null || diedAt.isBefore(until));
    }

    private static <T> List<T> most(Collection<T> all, Comparator<T> byCount, Function<T, String> text) {
        List<T> most = new ArrayList<>(all);
        most.sort(byCount.reversed().thenComparing(text));
        return List.copyOf(most.subList(0, Math.min(MOST_SHOWN, most.size())));
    }

    private static List<DeadReasons.Kind> kinds(
            Map<String, DeadReasons.Reason> reasons, Map<String, List<Instant>> deaths) {
        long first = Long.MAX_VALUE;
        long last = Long.MIN_VALUE;
        Map<String, List<DeadReasons.Reason>> byKind = new HashMap<>();
        for (DeadReasons.Reason reason : reasons.values()) {
            first = Math.min(first, reason.firstAt().toEpochMilli());
            last = Math.max(last, reason.lastAt().toEpochMilli());
            byKind.computeIfAbsent(ReasonKinds.of(reason.reason()), kind -> new ArrayList<>())
                    .add(reason);
        }
        List<DeadReasons.Kind> kinds = new ArrayList<>();
        for (Map.Entry<String, List<DeadReasons.Reason>> kind : byKind.entrySet()) {
            long[] overTime = new long[TWENTIETHS];
            DeadReasons.Reason all = kind.getValue().get(0);
            long count = 0;
            for (DeadReasons.Reason reason : kind.getValue()) {
                count += reason.count();
                all = sum(all, reason);
                for (Instant death : deaths.getOrDefault(reason.reason(), List.of())) {
                    long part = (death.toEpochMilli() - first) * TWENTIETHS / Math.max(1, last - first);
                    overTime[(int) Math.min(TWENTIETHS - 1, part)]++;
                }
            }
            kinds.add(new DeadReasons.Kind(
                    kind.getKey(),
                    count,
                    kind.getValue().size(),
                    all.reason(),
                    all.firstAt(),
                    all.lastAt(),
                    Arrays.stream(overTime).boxed().toList()));
        }
        return kinds;
    }

    private static DeadReasons.Reason one(String reason, Instant diedAt) {
        return new DeadReasons.Reason(reason, 1, diedAt, diedAt);
    }

    private static DeadReasons.Reason sum(DeadReasons.Reason one, DeadReasons.Reason other) {
        return new DeadReasons.Reason(
                one.reason(),
                one.count() + other.count(),
                one.firstAt().isBefore(other.firstAt()) ? one.firstAt() : other.firstAt(),
                one.lastAt().isAfter(other.lastAt()) ? one.lastAt() : other.lastAt());
    }
}
