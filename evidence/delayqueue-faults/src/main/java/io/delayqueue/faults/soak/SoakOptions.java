// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.soak;

import io.delayqueue.faults.Seed;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The options of a soak.
 *
 * @param length length of the run
 * @param between time between one fault and the next
 * @param writesPage whether to write the page in the docs
 * @param seed seed of load and faults
 * @param target folder for the files of the run
 */
record SoakOptions(Duration length, Duration between, boolean writesPage, Seed seed, Path target) {

    private static final Duration SLICE = Duration.ofMinutes(15);
    private static final Duration COLLECTION = Duration.ofMinutes(1);
    private static final Duration COLLECTION_AT_LEAST = Duration.ofSeconds(15);

    /** @throws IllegalArgumentException if an option is unknown */
    static SoakOptions of(List<String> arguments) {
        Duration length = Duration.ofMinutes(120);
        Duration between = Duration.ofMinutes(5);
        boolean writesPage = false;
        Seed seed = new Seed(1);
        Path target = Path.of("target");
        for (int i = 0; i < arguments.size(); i++) {
            switch (arguments.get(i)) {
                case "--minutes" -> length = Duration.ofMinutes(number(arguments, ++i));
                case "--fault-every" -> between = Duration.ofSeconds(number(arguments, ++i));
                case "--write-docs" -> writesPage = true;
                case "--seed" -> seed = new Seed(number(arguments, ++i));
                case "--folder" -> target = Path.of(value(arguments, ++i));
                default -> throw new IllegalArgumentException("There is no option " + arguments.get(i));
            }
        }
        return new SoakOptions(length, between, writesPage, seed, target);
    }

    private static long number(List<String> arguments, int index) {
        long number = Long.parseLong(value(arguments, index));
        if (number < 1) {
            throw new IllegalArgumentException(arguments.get(index - 1) + " must be at least 1");
        }
        return number;
    }

    private static String value(List<String> arguments, int index) {
        if (index >= arguments.size()) {
            throw new IllegalArgumentException(arguments.get(index - 1) + " needs a value");
        }
        return arguments.get(index);
    }

    /** Returns how often the applications are made to collect their garbage. */
    Duration heapEvery() {
        Duration part = length.dividedBy(48);
        Duration most = part.compareTo(COLLECTION) < 0 ? part : COLLECTION;
        return most.compareTo(COLLECTION_AT_LEAST) > 0 ? most : COLLECTION_AT_LEAST;
    }

    /** Returns the length of the slices of the lateness report: a quarter of an hour, or of a shorter run. */
    static Duration slice(Duration length) {
        Duration quarter = length.dividedBy(4);
        return quarter.compareTo(SLICE) < 0 ? quarter : SLICE;
    }
}
