// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks;

import io.delayqueue.benchmarks.run.Command;
import io.delayqueue.benchmarks.run.Options;

/** The command behind {@code scripts/benchmark}. */
public final class Benchmark {

    private Benchmark() {}

    /** Ends with 1 when a target is missed, with 2 when the arguments make no sense, with 3 when there is more to measure. */
    public static void main(String[] arguments) throws InterruptedException {
        Options options;
        try {
            options = Options.parse(arguments);
        } catch (IllegalArgumentException ex) {
            System.err.println("benchmark: " + ex.getMessage());
            System.exit(2);
            return;
        }
        System.exit(new Command(options).run());
    }
}
