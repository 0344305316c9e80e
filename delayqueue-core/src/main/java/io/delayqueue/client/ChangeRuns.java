// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.client;

import io.delayqueue.TaskIds;
import io.delayqueue.internal.transaction.TaskChange;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which changes are sent at a time. The next changes of all tasks make a wave: first the tasks to be stored, then the other calls. So
 * there are no more waves than one task has changes, however many tasks there are and in whatever order they came.
 */
final class ChangeRuns {

    /** Of calls for different tasks. */
    private static final int AT_A_TIME = 256;

    /** Of tasks to be stored: what is given to {@link BulkSchedule} at a time. */
    private static final int STORED_AT_A_TIME = 4096;

    private final List<List<Integer>> runs = new ArrayList<>();

    private ChangeRuns() {}

    /**
     * The places of the changes of each run. A run is of tasks to be stored, of which several may have one id, as they are sent in
     * their order; or of other calls, each for another task. The changes of one task keep their order, and so
     * do those of a group if one of them changes the whole group; that one is a run of its own.
     */
    static List<List<Integer>> of(List<? extends TaskChange<?>> changes) {
        Set<List<String>> groups = changes.stream()
                .filter(TaskChange.ChangeGroup.class::isInstance)
                .map(change -> List.of(change.queue(), change.id()))
                .collect(Collectors.toSet());
        Map<List<String>, Deque<Integer>> byTask = new LinkedHashMap<>();
        for (int place = 0; place < changes.size(); place++) {
            byTask.computeIfAbsent(inOrder(changes.get(place), groups), any -> new ArrayDeque<>(2))
                    .add(place);
        }
        ChangeRuns runs = new ChangeRuns();
        while (!byTask.isEmpty()) {
            runs.addWave(changes, byTask);
            byTask.values().removeIf(Deque::isEmpty);
        }
        return runs.runs;
    }

    /** Returns a key of the changes whose order counts: those of one task, or of a group if one of them changes all of it. */
    private static List<String> inOrder(TaskChange<?> change, Set<List<String>> groups) {
        List<String> group = groups.isEmpty()
                ? List.of()
                : List.of(change.queue(), TaskIds.groupPrefixOf(change.id()).orElse(""));
        return groups.contains(group) ? group : List.of(change.queue(), change.id());
    }

    private void addWave(List<? extends TaskChange<?>> changes, Map<List<String>, Deque<Integer>> byTask) {
        List<Integer> stored = new ArrayList<>();
        List<Integer> others = new ArrayList<>();
        List<Integer> groups = new ArrayList<>();
        for (Deque<Integer> left : byTask.values()) {
            while (!left.isEmpty() && changes.get(left.getFirst()) instanceof TaskChange.Schedule) {
                stored.add(left.removeFirst());
            }
            Set<String> ids = new HashSet<>();
            while (!left.isEmpty()
                    && isById(changes.get(left.getFirst()))
                    && ids.add(changes.get(left.getFirst()).id())) {
                others.add(left.removeFirst());
            }
            if (ids.isEmpty() && !left.isEmpty()) {
                groups.add(left.removeFirst());
            }
        }
        stored.sort(Comparator.naturalOrder());
        add(stored, STORED_AT_A_TIME);
        add(others, AT_A_TIME);
        add(groups, 1);
    }

    private static boolean isById(TaskChange<?> change) {
        return !(change instanceof TaskChange.Schedule) && !(change instanceof TaskChange.ChangeGroup);
    }

    private void add(List<Integer> places, int most) {
        for (int from = 0; from < places.size(); from += most) {
            runs.add(places.subList(from, Math.min(places.size(), from + most)));
        }
    }
}
