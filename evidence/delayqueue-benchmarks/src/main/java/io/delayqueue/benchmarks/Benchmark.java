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
     * Ends with 3 while there is more to measure; then with 1 when a target is missed. With 2 when the arguments make
     * no sense here, and with 4 when the results could not be kept.
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
