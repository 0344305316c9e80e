// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import io.delayqueue.faults.Seed;
import io.delayqueue.faults.outbox.RoundsCell;
import io.delayqueue.faults.outbox.RoundsDatabase;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs cells and prints one line with the result of each. {@code scripts/faults} starts it. */
public final class Faults {

    private static final Duration SHORT = Duration.ofSeconds(24);
    private static final Duration MUTANT = Duration.ofSeconds(40);
    private static final Duration USUAL = Duration.ofSeconds(90);

    private final Cells cells = new Cells();
    private final List<String> names = new ArrayList<>();
    private @Nullable Duration length;
    private boolean lists;
    private boolean isShort;
    private boolean mutants;
    private int rounds;
    private Seed seed = new Seed(1);
    private boolean judgesAgain;
    private boolean judgesLateness = true;
    private Path folder = Path.of("target", "faults");

    private Faults() {}

    public static void main(String[] arguments) throws Exception {
        Faults faults = new Faults();
        try {
            faults.read(List.of(arguments));
        } catch (IllegalArgumentException ex) {
            System.err.println("faults: " + ex.getMessage());
            System.exit(2);
        }
        // applications and servers end with their cells, and nothing else should delay the end
        System.exit(faults.run(System.out) ? 0 : 1);
    }

    private void read(List<String> arguments) {
        for (int i = 0; i < arguments.size(); i++) {
            switch (arguments.get(i)) {
                case "--list" -> lists = true;
                case "--short" -> isShort = true;
                case "--mutants" -> mutants = true;
                case "--rounds" -> rounds = Integer.parseInt(value(arguments, ++i));
                case "--seed" -> seed = new Seed(Long.parseLong(value(arguments, ++i)));
                case "--judge-again" -> judgesAgain = true;
                case "--ignore-lateness" -> judgesLateness = false;
                case "--seconds" -> length = Duration.ofSeconds(Long.parseLong(value(arguments, ++i)));
                case "--folder" -> folder = Path.of(value(arguments, ++i));
                default -> names.add(named(arguments.get(i)));
            }
        }
        if (mutants) {
            MutantRun.named(names);
        } else if (rounds > 0) {
            RoundsDatabase.named(names);
        } else {
            cells.named(names);
        }
    }

    private static String value(List<String> arguments, int index) {
        if (index >= arguments.size()) {
            throw new IllegalArgumentException(arguments.get(index - 1) + " needs a value");
        }
        return arguments.get(index);
    }

    private static String named(String argument) {
        if (argument.startsWith("-")) {
            throw new IllegalArgumentException("There is no option " + argument);
        }
        return argument;
    }

    private boolean run(PrintStream out) throws Exception {
        if (lists) {
            cells.all().forEach(cell -> out.printf("%-28s %s%n", cell.name(), cell.description()));
            return true;
        }
        if (rounds > 0) {
            boolean kept = true;
            for (RoundsDatabase database : RoundsDatabase.named(names)) {
                kept &= RoundsCell.run(database, rounds, seed.value());
            }
            return kept;
        }
        if (mutants) {
            Duration each = length != null ? length : MUTANT;
            CellRunner runner = new CellRunner(new RunOptions(each, folder, true, seed));
            return new MutantRun(runner, cells, seed).run(MutantRun.named(names), out);
        }
        Duration each = length != null ? length : isShort ? SHORT : USUAL;
        RunOptions options = new RunOptions(each, folder, judgesLateness, seed);
        boolean good = true;
        for (Cell cell : chosen()) {
            try {
                Outcome outcome = outcome(cell, options);
                good &= outcome.wentWell();
                out.println(outcome.line());
            } catch (Exception ex) {
                good = false;
                out.printf("%-28s FAIL could not be run: %s%n", cell.name(), ex);
                ex.printStackTrace(System.err);
            }
        }
        return good;
    }

    private Outcome outcome(Cell cell, RunOptions options) throws Exception {
        if (judgesAgain) {
            return Outcome.of(new CellRunner(options).judgeAgain(cell));
        }
        return ServerCells.isOne(cell.name())
                ? new RunProcess().run(new RunOrder(cell.name(), null, options))
                : Outcome.of(new CellRunner(options).run(cell));
    }

    private Collection<Cell> chosen() {
        if (!names.isEmpty()) {
            return cells.named(names);
        }
        return isShort ? cells.ofShortRun() : cells.all();
    }
}
