// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.result;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Values of two subjects that were measured in the same round. What disturbs a round disturbs both, so that the ratios of
 * the rounds say more than the ratio of what each has in the median.
 */
final class Pairs {

    private final List<Pair> pairs = new ArrayList<>();

    /** By round; a round that only one of them has makes no pair. */
    Pairs(Map<Integer, Double> own, Map<Integer, Double> theirs) {
        own.forEach((round, value) -> {
            if (theirs.containsKey(round)) {
                pairs.add(new Pair(value, theirs.getOrDefault(round, 0.0)));
            }
        });
    }

    /** None where the other's value is 0: what is no time, no rate and no cost was not measured. */
    List<Double> ratios() {
        return pairs.stream()
                .filter(pair -> pair.theirs > 0)
                .map(pair -> pair.own / pair.theirs)
                .toList();
    }

    List<Double> differences() {
        return pairs.stream().map(pair -> pair.own - pair.theirs).toList();
    }

    private record Pair(double own, double theirs) {}
}
