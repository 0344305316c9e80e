// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.result;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Which library each workload was measured on. The targets are of the library that was measured last: what was measured
 * on another one stays in the tables until it is measured anew, and says nothing about it.
 */
final class Libraries {

    private final String last;
    private final Map<String, List<String>> workloadsOfOthers = new LinkedHashMap<>();

    Libraries(Collection<Run> runs) {
        this.last = runs.stream()
                .max(Comparator.comparing(Run::at))
                .map(Run::library)
                .orElse("");
        for (Run run : runs) {
            if (!run.library().equals(last)) {
                List<String> workloads = workloadsOfOthers.computeIfAbsent(run.library(), library -> new ArrayList<>());
                if (!workloads.contains(run.workload())) {
                    workloads.add(run.workload());
                }
            }
        }
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
