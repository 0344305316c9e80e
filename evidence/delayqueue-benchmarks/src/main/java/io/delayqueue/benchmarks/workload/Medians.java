// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.workload;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Values that are measured several times in one run. The median counts, and all values are stored. */
final class Medians {

    private final Map<String, List<Double>> values = new LinkedHashMap<>();

    void add(String name, double value) {
        values.computeIfAbsent(name, key -> new ArrayList<>()).add(value);
        // This line in the log of the run shows how much the values differ.
        System.out.println(name + ", once: " + value);
    }

    /** Records the medians. For an even number of values, this is the mean of the two middle ones. */
    void record(Recorder recorder) {
        values.forEach((name, measured) -> recorder.metric(name, median(measured), measured));
    }

    private static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return (sorted.size() % 2 == 1) ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }
}
