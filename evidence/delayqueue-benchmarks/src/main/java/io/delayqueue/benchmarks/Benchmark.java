// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks;

import io.delayqueue.benchmarks.run.Command;
import io.delayqueue.benchmarks.run.Options;

/** The command behind {@code scripts/benchmark}. */
public final class Benchmark {

    private static final int USAGE = 2;
    private static final int FAILED = 4;

    private Benchmark() {}

    /**
     * Exits with 1 if a target was missed, with 2 if the arguments are invalid on this machine, with 3 if there is more
     * to measure, and with 4 if the results could not be stored.
     */
    public static void main(String[] arguments) throws InterruptedException {
        Command command;
        try {
            command = new Command(Options.parse(arguments));
        } catch (IllegalArgumentException ex) {
            System.err.println("benchmark: " + ex.getMessage());
            System.exit(USAGE);
            return;
        }
        try {
            System.exit(command.run());
        } catch (RuntimeException ex) {
            ex.printStackTrace();
            System.exit(FAILED);
        }
    }
}
