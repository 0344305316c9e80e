// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.soak;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Elements in random order; each occurs once before any is repeated. */
final class Deck<T> {

    private final List<T> things;
    private final Random random;
    private final List<T> left = new ArrayList<>();

    Deck(List<T> things, Random random) {
        this.things = List.copyOf(things);
        this.random = random;
    }

    T next() {
        if (left.isEmpty()) {
            left.addAll(things);
            Collections.shuffle(left, random);
        }
        return left.remove(left.size() - 1);
    }
}
