// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.result;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which library each workload was measured on. The targets are of the library that was measured last: what was measured
 * on another one stays in the tables until it is measured anew, and says nothing about it.
 *
 * <p>A library is named by the last commit that changed it, {@code 6758fe65}, without the module of the outbox. Only the
 * workloads with an outbox run that module, and name its last commit too: {@code 6758fe65/9e6f9b7d}.
 */
final class Libraries {

    private static final Set<String> WITH_OUTBOX = Set.of("W12", "W13", "W14", "W15");
    private static final String SEPARATOR = "/";

    private final String last;
    private final Map<String, List<String>> workloadsOfOthers = new LinkedHashMap<>();

    Libraries(Collection<Run> runs) {
        String others = lastOf(runs).split(SEPARATOR)[0];
        String withOutbox = lastOf(runs.stream()
                .filter(run -> WITH_OUTBOX.contains(run.workload()))
                .toList());
        this.last = withOutbox.startsWith(others + SEPARATOR) ? withOutbox : others;
        for (Run run : runs) {
            if (!run.library().equals(WITH_OUTBOX.contains(run.workload()) ? last : others)) {
                List<String> workloads = workloadsOfOthers.computeIfAbsent(run.library(), library -> new ArrayList<>());
                if (!workloads.contains(run.workload())) {
                    workloads.add(run.workload());
                }
            }
        }
    }

    private static String lastOf(Collection<Run> runs) {
        return runs.stream()
                .max(Comparator.comparing(Run::at))
                .map(Run::library)
                .orElse("");
    }

    /** What of a library this workload runs. */
    static String in(String workload, String library, String outbox) {
        return WITH_OUTBOX.contains(workload) && !outbox.isEmpty() ? library + SEPARATOR + outbox : library;
    }

    boolean isLastOf(String workload) {
        return workloadsOfOthers.values().stream().noneMatch(workloads -> workloads.contains(workload));
    }

    /** A line that names what is not judged; empty where all is. */
    String line() {
        if (workloadsOfOthers.isEmpty()) {
            return "";
        }
        return workloadsOfOthers.entrySet().stream()
                .map(others -> String.join(", ", others.getValue()) + " (" + others.getKey() + ")")
                .collect(Collectors.joining(
                        "; ", "\nNot measured on library " + last + ", which is the last, and so not judged: ", ".\n"));
    }
}
