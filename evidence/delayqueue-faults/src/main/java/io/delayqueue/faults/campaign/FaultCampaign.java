// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.campaign;

import io.delayqueue.faults.Seed;
import io.delayqueue.faults.cell.Cell;
import io.delayqueue.faults.cell.Cells;
import io.delayqueue.faults.cell.Outcome;
import io.delayqueue.faults.cell.RunOptions;
import io.delayqueue.faults.cell.RunOrder;
import io.delayqueue.faults.cell.RunProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs every cell with several seeds, and every mutant, in portions. Records each outcome at once, and continues from
 * the records when it is started again. {@code scripts/faults --campaign} starts it.
 */
public final class FaultCampaign {

    /** Relative to the working folder of {@code scripts/faults}. */
    static final Path RECORDS = Path.of("evidence", "docs", "fault-runs.jsonl");

    private static final int BAD = 1;
    private static final int USAGE = 2;
    private static final int MORE_IS_LEFT = 3;

    private final CampaignOptions options;
    private final Plan plan;
    private final Records records;
    private final Cells cells;
    private final RunProcess runs = new RunProcess();

    private FaultCampaign(CampaignOptions options, Cells cells) throws IOException {
        this.options = options;
        this.plan = options.plan(cells);
        this.records = new Records(RECORDS);
        this.cells = cells;
    }

    public static void main(String[] arguments) throws Exception {
        FaultCampaign campaign;
        try {
            campaign = new FaultCampaign(CampaignOptions.read(arguments), new Cells());
        } catch (IllegalArgumentException ex) {
            System.err.println("faults: " + ex.getMessage());
            System.exit(USAGE);
            return;
        }
        System.exit(campaign.run());
    }

    private int run() throws Exception {
        List<Planned> wanted = wanted();
        System.out.printf(
                "%d of %d runs remain for library %s%n",
                wanted.size(), plan.runs().size(), plan.library().all());
        long end = System.nanoTime() + options.portion.toNanos();
        new Portion(this::make, this::write, options.jobs, () -> System.nanoTime() - end < 0).run(wanted);
        new ProcessBuilder("scripts/report", "faults").inheritIO().start().waitFor();
        List<Planned> left = plan.left(records.all());
        List<Planned> failed = plan.failed(records.all());
        System.out.printf("%d runs remain; %d are recorded as failed%n", left.size(), failed.size());
        failed.forEach(run -> System.out.println("    " + run.name() + " seed " + run.seed()));
        return !failed.isEmpty() ? BAD : !left.isEmpty() ? MORE_IS_LEFT : 0;
    }

    private List<Planned> wanted() {
        if (!options.again) {
            return plan.left(records.all());
        }
        return options.names.isEmpty() ? plan.leftOrFailed(records.all()) : plan.runs();
    }

    private Outcome make(Planned run) throws InterruptedException {
        Path folder = options.folder.resolve("seed-" + run.seed());
        return runs.run(new RunOrder(
                run.cell(),
                run.mutant(),
                new RunOptions(Duration.ofSeconds(run.seconds()), folder, true, new Seed(run.seed()))));
    }

    private synchronized void write(Planned run, Outcome outcome, List<String> notes) {
        List<String> all = new ArrayList<>(earlier(run));
        all.addAll(notes);
        Cell cell = run.mutant() != null || !cells.names().contains(run.cell())
                ? null
                : cells.named(List.of(run.cell())).get(0);
        try {
            records.add(new RunRecord(
                    run.cell(),
                    cell == null ? null : cell.description(),
                    cell == null ? null : cell.loss(),
                    run.mutant(),
                    run.seed(),
                    run.seconds(),
                    plan.library().in(run.cell()),
                    options.commit,
                    LocalDate.now(ZoneOffset.UTC).toString(),
                    outcome,
                    all));
        } catch (IOException ex) {
            throw new UncheckedIOException("What came of " + run + " cannot be written down", ex);
        }
        System.out.printf("seed %d %s %s%n", run.seed(), mark(run, outcome), outcome.line());
        notes.forEach(note -> System.out.println("    " + note));
    }

    /** Returns notes on an earlier failed run with the same library, so that a later good run does not hide it. */
    private List<String> earlier(Planned run) {
        List<String> notes = new ArrayList<>();
        for (RunRecord record : records.all()) {
            if (record.is(run, plan.library().in(run.cell()))) {
                notes.addAll(record.notes());
                if (!record.outcome().wentWell()) {
                    notes.add(record.asEarlier());
                }
            }
        }
        return notes;
    }

    private static String mark(Planned run, Outcome outcome) {
        return run.mutant() == null ? "" : run.mutant() + " " + outcome.ending() + " " + outcome.broken() + ":";
    }
}
