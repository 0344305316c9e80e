// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.campaign;

import io.delayqueue.faults.cell.Cells;
import io.delayqueue.faults.cell.MutantRun;
import io.delayqueue.faults.cell.RoundsRun;
import io.delayqueue.faults.mutant.Mutant;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.springframework.boot.convert.DurationStyle;

/** The options of the command line. */
final class CampaignOptions {

    int seeds = 2;
    int seconds = 120;
    int jobs = 1;
    /** When runs have taken this long, no further run starts. */
    Duration portion = Duration.ofMinutes(110);
    /** True if all mutants run. */
    boolean mutants;
    /** True if failed runs are repeated, or named runs regardless of their records. */
    boolean again;
    /** Names of cells, rounds and mutants; empty for all cells and rounds. */
    final List<String> names = new ArrayList<>();

    String library = "";
    String outbox = "";
    String commit = "";
    Path folder = Path.of("target", "faults");

    /** @throws IllegalArgumentException if an option is unknown or invalid */
    static CampaignOptions read(String[] arguments) {
        CampaignOptions options = new CampaignOptions();
        Iterator<String> words = Arrays.asList(arguments).iterator();
        while (words.hasNext()) {
            options.take(words.next(), words);
        }
        if (options.seeds < 1 || options.seconds < 1 || options.jobs < 1) {
            throw new IllegalArgumentException("--seeds, --seconds and --jobs take numbers from 1 on");
        }
        return options;
    }

    private void take(String word, Iterator<String> rest) {
        switch (word) {
            case "--campaign" -> {
                // set by the caller
            }
            case "--mutants" -> mutants = true;
            case "--again" -> again = true;
            case "--seeds" -> seeds = number(word, rest);
            case "--seconds" -> seconds = number(word, rest);
            case "--jobs" -> jobs = number(word, rest);
            case "--portion" -> portion = DurationStyle.detectAndParse(value(word, rest));
            case "--library" -> library = value(word, rest);
            case "--outbox" -> outbox = value(word, rest);
            case "--commit" -> commit = value(word, rest);
            case "--folder" -> folder = Path.of(value(word, rest));
            default -> names.add(name(word));
        }
    }

    private static String value(String option, Iterator<String> rest) {
        if (!rest.hasNext()) {
            throw new IllegalArgumentException(option + " needs a value");
        }
        return rest.next();
    }

    private static int number(String option, Iterator<String> rest) {
        String value = value(option, rest);
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException ex) {
            throw new IllegalArgumentException(option + " takes a number, not " + value, ex);
        }
    }

    private static String name(String word) {
        if (word.startsWith("-")) {
            throw new IllegalArgumentException("A campaign has no option " + word);
        }
        return word;
    }

    /**
     * Returns the requested runs.
     *
     * @throws IllegalArgumentException if a name is not the name of a cell, of rounds or of a mutant
     */
    Plan plan(Cells cells) {
        List<Mutant> known = MutantRun.named(List.of());
        List<Mutant> chosenMutants = known.stream()
                .filter(mutant -> names.contains(mutant.label()) || mutants && names.isEmpty())
                .toList();
        List<String> chosenCells = new ArrayList<>(names);
        known.forEach(mutant -> chosenCells.remove(mutant.label()));
        chosenCells.removeAll(RoundsRun.names());
        cells.named(chosenCells);
        if (names.isEmpty()) {
            chosenCells.addAll(cells.names());
        }
        List<String> chosenRounds = RoundsRun.names().stream()
                .filter(rounds -> names.contains(rounds) || names.isEmpty())
                .toList();
        return Plan.of(chosenCells, chosenRounds, chosenMutants, seeds, seconds, new LibraryCommits(library, outbox));
    }
}
