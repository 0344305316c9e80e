// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.soak;

import io.delayqueue.faults.cell.CellResult;
import io.delayqueue.faults.cell.CellRunner;
import io.delayqueue.faults.cell.RunOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Runs the load for hours with a fault now and then, and says whether the library kept its word and what it holds stayed
 * the same. {@code scripts/soak} starts it.
 */
public final class Soak {

    private static final String RECORD = "soak-record";

    /** From which the time of the warm-up, and of the load after the last fault, is taken. */
    private static final Duration FRAME = Duration.ofMinutes(4);

    private final SoakOptions options;
    private final SoakRecord record;

    private Soak(SoakOptions options) {
        this.options = options;
        this.record = new SoakRecord(options.target().resolve(RECORD));
    }

    public static void main(String[] arguments) throws IOException {
        SoakOptions options;
        try {
            options = SoakOptions.of(List.of(arguments));
        } catch (IllegalArgumentException ex) {
            System.err.println("soak: " + ex.getMessage());
            System.exit(2);
            return;
        }
        // applications and servers end with the run; nothing else is to hold up the end
        System.exit(new Soak(options).perform() ? 0 : 1);
    }

    private boolean perform() throws IOException {
        if (options.runs()) {
            run();
        }
        Path histories = options.target().resolve(SoakCell.NAME);
        SoakResult result;
        try {
            result = SoakResult.of(record, histories);
        } catch (IllegalStateException ex) {
            System.err.println("soak: " + ex.getMessage());
            return false;
        }
        List<String> problems = result.problems();
        problems.forEach(problem -> System.out.println("soak: " + problem));
        result.trends().forEach(trend -> System.out.println("soak: " + trend));
        System.out.println("soak: " + (problems.isEmpty() ? "all kept, and flat" : "not as it has to be"));
        if (options.writesPage()) {
            new SoakPage(result, new SoakCharts(result).write(SoakPage.CHARTS)).update(SoakPage.PAGE);
        }
        return problems.isEmpty();
    }

    private void run() throws IOException {
        record.begin();
        try {
            CellRunner runner = new CellRunner(new RunOptions(FRAME, options.target(), true, options.seed()));
            CellResult result = runner.run(new SoakCell(options, record).cell());
            record.write(Judgement.of(result.verdict()));
            System.out.println(result.verdict().line());
        } catch (Exception ex) {
            System.err.println("soak: the run was broken off");
            ex.printStackTrace(System.err);
        }
    }
}
