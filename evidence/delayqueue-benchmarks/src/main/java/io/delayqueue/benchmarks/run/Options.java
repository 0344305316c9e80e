// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.run;

import io.delayqueue.benchmarks.subject.Subjects;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * The options of the command line.
 *
 * @param quick whether to run at reduced size
 * @param writeDocs whether to write the results to the documentation
 * @param again whether to repeat measurements of this library
 * @param portion how long new rounds may start
 * @param rounds number of rounds; 0 for the planned number
 * @param subjects the subjects; empty for all
 * @param without the subjects to omit
 * @param workloads the workloads, in order
 */
public record Options(
        boolean quick,
        boolean writeDocs,
        boolean again,
        Duration portion,
        int rounds,
        Set<String> subjects,
        Set<String> without,
        List<String> workloads) {

    /** Reads arguments, and rejects unknown ones. */
    public static Options parse(String... arguments) {
        boolean quick = false;
        boolean writeDocs = false;
        boolean again = false;
        Duration portion = Duration.ofDays(1);
        int rounds = 0;
        Set<String> subjects = Set.of();
        Set<String> without = Set.of();
        List<String> workloads = new ArrayList<>();
        List<String> rest = new ArrayList<>(Arrays.asList(arguments));
        while (!rest.isEmpty()) {
            String argument = rest.remove(0);
            switch (argument) {
                case "--quick" -> quick = true;
                case "--write-docs" -> writeDocs = true;
                case "--again" -> again = true;
                case "--portion" -> portion = minutes(value(argument, rest));
                case "--rounds" -> rounds = Integer.parseInt(value(argument, rest));
                case "--subjects" -> subjects = Set.of(value(argument, rest).split(","));
                case "--without" -> without = Set.of(value(argument, rest).split(","));
                default -> {
                    if (!Plan.ALL.contains(argument)) {
                        throw new IllegalArgumentException("Unknown argument '" + argument + "'. Workloads: " + Plan.ALL
                                + ". Options: --quick, --write-docs, --again, --portion 110m, --rounds N, --subjects "
                                + "a,b, --without a,b");
                    }
                    workloads.add(argument);
                }
            }
        }
        if (workloads.isEmpty()) {
            workloads.addAll(quick ? Plan.QUICK : Plan.ALL);
        }
        if ((again || portion.toDays() < 1) && (quick || !writeDocs)) {
            throw new IllegalArgumentException("--again and --portion go with --write-docs, without --quick");
        }
        return new Options(quick, writeDocs, again, portion, rounds, subjects, without, List.copyOf(workloads));
    }

    private static Duration minutes(String text) {
        if (!text.matches("[1-9][0-9]{0,3}m")) {
            throw new IllegalArgumentException("--portion takes a number of minutes, as in 110m");
        }
        return Duration.ofMinutes(Integer.parseInt(text.substring(0, text.length() - 1)));
    }

    private static String value(String argument, List<String> rest) {
        if (rest.isEmpty()) {
            throw new IllegalArgumentException(argument + " takes a value");
        }
        return rest.remove(0);
    }

    private static boolean canRun(String subject) {
        return (!subject.equals(Subjects.BULLMQ) || System.getProperty(Subjects.NODE_FOLDER) != null)
                && (!Subjects.isRqueue(subject) || System.getProperty(ChildProcess.RQUEUE_CLASS_PATH) != null)
                && (!Subjects.isMeasured(subject) || System.getProperty(ChildProcess.OBSERVED_CLASS_PATH) != null);
    }

    /**
     * Returns the plans of its workloads.
     *
     * @throws IllegalArgumentException if a subject of the documented results cannot be measured on this machine,
     *     unless it was omitted explicitly
     */
    List<Plan> plans() {
        List<Plan> plans = workloads.stream()
                .map(quick ? Plan::quick : Plan::full)
                .map(plan -> rounds > 0 ? plan.withRounds(rounds) : plan)
                .map(plan -> subjects.isEmpty() ? plan : plan.askedFor(subjects))
                .map(plan -> plan.onlySubjects(subject -> !without.contains(subject)))
                .toList();
        if (writeDocs && !quick) {
            plans.stream()
                    .flatMap(plan -> plan.subjects().stream())
                    .filter(subject -> !canRun(subject))
                    .findFirst()
                    .ifPresent(subject -> {
                        throw new IllegalArgumentException(
                                "'" + subject + "' cannot be measured here, as is said above;"
                                        + " leave it out on purpose by --without " + subject);
                    });
        }
        return plans.stream().map(plan -> plan.onlySubjects(Options::canRun)).toList();
    }
}
