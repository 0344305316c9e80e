// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import io.delayqueue.ListedTask;
import io.delayqueue.TaskState;
import io.delayqueue.control.TaskFilter;
import io.delayqueue.internal.admin.TaskPosition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Counts dead tasks by reason, oldest death first within each shard. Stops after reading 10,000 tasks, or after {@link
 * TaskPages#LONGEST}.
 */
final class ReasonCount {

    private static final int PAGE = 500;
    private static final int MOST_READ = 10_000;
    private static final int MOST_SHOWN = 200;
    private static final int TWENTIETHS = 20;

    private final TaskPages pages;
    private final Map<String, List<Instant>> deaths = new HashMap<>();
    private long looked;

    ReasonCount(TaskPages pages) {
        this.pages = pages;
    }

    DeadReasons of(String queue, TaskFilter period) {
        long begin = System.nanoTime();
        TaskPosition position = since(period.from(), new TaskPosition(0, Instant.EPOCH, ""));
        long read = 0;
        while (position != null && read < MOST_READ && System.nanoTime() - begin < TaskPages.LONGEST.toNanos()) {
            TaskPages.Batch dead = pages.batch(queue, TaskState.DEAD, period, false, false, PAGE, position);
            read += dead.tasks().size();
            dead.tasks().stream().filter(new FilterMatch(period)::matches).forEach(this::count);
            position = since(period.from(), dead.next());
        }
        List<DeadReasons.Reason> reasons = deaths.entrySet().stream()
                .map(reason -> reason(reason.getKey(), reason.getValue()))
                .sorted(most(DeadReasons.Reason::count, DeadReasons.Reason::reason))
                .toList();
        return new DeadReasons(first(reasons), first(kinds(reasons)), looked, position == null);
    }

    /** Returns the position after the tasks of a shard that died before the period. */
    private static @Nullable TaskPosition since(@Nullable Instant from, @Nullable TaskPosition position) {
        return position != null && from != null && position.at().isBefore(from)
                ? new TaskPosition(position.shard(), from, "")
                : position;
    }

    private void count(ListedTask task) {
        deaths.computeIfAbsent(task.lastReason().orElse(""), reason -> new ArrayList<>())
                .add(task.nextAttentionAt());
        looked++;
    }

    private static DeadReasons.Reason reason(String reason, List<Instant> deaths) {
        return new DeadReasons.Reason(reason, deaths.size(), Collections.min(deaths), Collections.max(deaths));
    }

    private static <T> Comparator<T> most(ToLongFunction<T> count, Function<T, String> text) {
        return Comparator.comparingLong(count).reversed().thenComparing(text);
    }

    private static <T> List<T> first(List<T> all) {
        return List.copyOf(all.subList(0, Math.min(MOST_SHOWN, all.size())));
    }

    private List<DeadReasons.Kind> kinds(List<DeadReasons.Reason> reasons) {
        List<Instant> all = deaths.values().stream().flatMap(List::stream).toList();
        long begin = all.isEmpty() ? 0 : Collections.min(all).toEpochMilli();
        long length = all.isEmpty() ? 1 : Math.max(1, Collections.max(all).toEpochMilli() - begin);
        return reasons.stream()
                .collect(Collectors.groupingBy(reason -> ReasonKinds.of(reason.reason())))
                .entrySet()
                .stream()
                .map(kind -> kind(kind.getKey(), kind.getValue(), begin, length))
                .sorted(most(DeadReasons.Kind::count, DeadReasons.Kind::kind))
                .toList();
    }

    /** @param begin the first death of any kind, epoch milliseconds */
    private DeadReasons.Kind kind(String kind, List<DeadReasons.Reason> reasons, long begin, long length) {
        long[] overTime = new long[TWENTIETHS];
        List<Instant> all = reasons.stream()
                .flatMap(reason -> deaths.getOrDefault(reason.reason(), List.of()).stream())
                .sorted()
                .toList();
        all.forEach(death ->
                overTime[(int) Math.min(TWENTIETHS - 1, (death.toEpochMilli() - begin) * TWENTIETHS / length)]++);
        return new DeadReasons.Kind(
                kind,
                all.size(),
                reasons.size(),
                reasons.get(0).reason(),
                all.get(0),
                all.get(all.size() - 1),
                Arrays.stream(overTime).boxed().toList());
    }
}
