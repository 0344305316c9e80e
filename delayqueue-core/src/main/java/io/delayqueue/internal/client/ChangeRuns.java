// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.client;

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
 * Divides changes into runs that are each sent together. The first changes of all tasks form a wave, then the
 * second changes, and so on. A wave consists of a run with the tasks to store and a run with the other calls. The
 * number of waves is therefore the largest number of changes of one task.
 */
final class ChangeRuns {

    private static final int AT_A_TIME = 256;

    /** Maximum number of tasks passed to {@link BulkSchedule} together. */
    private static final int STORED_AT_A_TIME = 4096;

    private final List<List<Integer>> runs = new ArrayList<>();

    private ChangeRuns() {}

    /**
     * Returns the indexes of the changes of each run. A run contains either tasks to store, which are sent in order if
     * they have the same id, or other calls, each for a different task. The changes of a task keep their order. If a
     * change concerns a whole group, all changes of the group keep their order, and this change is a run of its own.
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

    /**
     * Returns a key that is equal for changes whose order matters: changes of one task, or of a group that is changed
     * as a whole.
     */
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
