// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.result;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Values of two subjects that were measured in the same turn, or else in the same round. What disturbs one disturbs
 * both, so that their ratios say more than the ratio of what each has in the median.
 */
final class Pairs {

    private final List<Pair> pairs = new ArrayList<>();

    /** By round; a round that only one of them has makes no pair. */
    Pairs(Map<Integer, Measured> own, Map<Integer, Measured> theirs) {
        own.forEach((round, measured) -> {
            Measured other = theirs.get(round);
            if (other != null) {
                add(measured, other);
            }
        });
    }

    private void add(Measured own, Measured theirs) {
        int turns = own.turns().size();
        if (turns == 0 || turns != theirs.turns().size()) {
            pairs.add(new Pair(own.value(), theirs.value()));
            return;
        }
        for (int i = 0; i < turns; i++) {
            pairs.add(new Pair(own.turns().get(i), theirs.turns().get(i)));
        }
    }

    /** None where the other's value is 0: what is no time, no rate and no cost was not measured. */
    List<Double> ratios() {
        return pairs.stream()
                .filter(pair -> pair.theirs > 0)
                .map(pair -> pair.own / pair.theirs)
                .filter(Double::isFinite)
                .toList();
    }

    List<Double> differences() {
        return pairs.stream()
                .map(pair -> pair.own - pair.theirs)
                .filter(Double::isFinite)
                .toList();
    }

    private record Pair(double own, double theirs) {}
}
