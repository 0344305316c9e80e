// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.soak;

import io.delayqueue.faults.cell.CellResult;
import io.delayqueue.faults.cell.CellRunner;
import io.delayqueue.faults.cell.RunOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs the load for hours with occasional faults, and reports whether the library kept its guarantees and its resources
 * did not grow. {@code scripts/soak} starts it.
 */
public final class Soak {

    private static final String RECORD = "soak-record";

    /** The length that determines the times of the warm-up and of the load after the last fault. */
    private static final Duration FRAME = Duration.ofMinutes(4);

    private final SoakOptions options;
    private final SoakRecord record;

    private Soak(SoakOptions options) {
        this.options = options;
        this.record = new SoakRecord(options.target().resolve(RECORD));
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        SoakOptions options;
        try {
            options = SoakOptions.of(List.of(arguments));
        } catch (IllegalArgumentException ex) {
            System.err.println("soak: " + ex.getMessage());
            System.exit(2);
            return;
        }
        // Applications and servers end with the run, and nothing else should delay the end.
        System.exit(new Soak(options).perform() ? 0 : 1);
    }

    private boolean perform() throws IOException, InterruptedException {
        run();
        List<String> command = new ArrayList<>(
                List.of("scripts/report", "soak", "--folder", record.file("").toString()));
        if (!options.writesPage()) {
            command.add("--print");
        }
        return new ProcessBuilder(command).inheritIO().start().waitFor() == 0;
    }

    private void run() throws IOException {
        record.begin();
        try {
            CellRunner runner = new CellRunner(new RunOptions(FRAME, options.target(), true, options.seed()));
            CellResult result = runner.run(new SoakCell(options, record).cell());
            record.write(Judgement.of(result.verdict()));
            record.writeLateness(options.target().resolve(SoakCell.NAME));
            System.out.println(result.verdict().line());
        } catch (Exception ex) {
            System.err.println("soak: the run was aborted");
            ex.printStackTrace(System.err);
        }
    }
}
