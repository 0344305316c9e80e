// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SeedTests {

    @Test
    void randomWhenSeedAndUseAreTheSameGivesTheSameNumbers() {
        assertThat(numbers(new Seed(1).random("load"))).isEqualTo(numbers(new Seed(1).random("load")));
    }

    @Test
    void randomWhenSeedOrUseIsAnotherGivesNumbersThatHaveNothingToDoWithThem() {
        List<Double> first = Stream.of("caller-0", "caller-1", "caller-2")
                .flatMap(use -> Stream.of(new Seed(1), new Seed(2), new Seed(3))
                        .map(seed -> seed.random(use).nextDouble()))
                .sorted()
                .toList();
        // nine neighbours: those of a poor mixture all begin with nearly the same number
        assertThat(first).doesNotHaveDuplicates();
        assertThat(first.get(8) - first.get(0)).isGreaterThan(0.4);
    }

    private static List<Integer> numbers(Random random) {
        return random.ints(20).boxed().toList();
    }
}
