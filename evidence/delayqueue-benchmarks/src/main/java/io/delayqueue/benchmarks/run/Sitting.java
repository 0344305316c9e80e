// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.run;

import io.delayqueue.benchmarks.result.Machine;
import io.delayqueue.benchmarks.result.Outcome;
import io.delayqueue.benchmarks.result.Run;
import io.delayqueue.benchmarks.workload.Turns;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Runs the rounds of a plan: the subjects take turns, each with fresh servers and a fresh JVM. A failure of a subject
 * is an outcome as well.
 *
 * @param folder folder for the files of the runs
 */
record Sitting(boolean quick, Path folder) {

    private static final long LOOK_MILLIS = 100;

    /**
     * Runs one round on one variant. Each round starts with another subject. If not quick, repeats a failed run once,
     * because the subject may not be the cause, for example if a process was killed.
     */
    List<Run> run(Plan plan, String variant, int round) throws InterruptedException {
        List<String> subjects = new ArrayList<>(plan.subjectsOf(variant));
        Collections.rotate(subjects, 1 - round);
        List<List<String>> groups = plan.together()
                ? List.of(List.copyOf(subjects))
                : subjects.stream().map(List::of).toList();
        List<Run> runs = new ArrayList<>();
        for (List<String> group : groups) {
            List<Run> ofGroup = measure(plan, variant, round, group);
            if (!quick && ofGroup.stream().anyMatch(Run::hasProblems)) {
                System.out.println("Repeating the failed measurement once");
                ofGroup = measure(plan, variant, round, group);
            }
            runs.addAll(ofGroup);
        }
        return runs;
    }

    private List<Run> measure(Plan plan, String variant, int round, List<String> subjects) throws InterruptedException {
        Instant at = Instant.now();
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        StolenTime stolen = new StolenTime();
        List<Outcome> outcomes = outcomes(plan, variant, round, subjects);
        double share = stolen.share();
        List<Run> runs = new ArrayList<>();
        for (String subject : subjects) {
            Run run = new Run(
                    plan.workload(),
                    subject,
                    variant,
                    round,
                    Machine.library(),
                    Machine.harness(),
                    at,
                    load,
                    share,
                    outcomes.get(runs.size()));
            System.out.println(line(run));
            runs.add(run);
        }
        return runs;
    }

    /** Returns the outcomes of subjects that run at the same time, in their order. */
    private List<Outcome> outcomes(Plan plan, String variant, int round, List<String> subjects)
            throws InterruptedException {
        List<Turn> turns = new ArrayList<>();
        try {
            Path file = turnsFile(plan.workload(), variant, round);
            for (String subject : subjects) {
                turns.add(new Turn(new TurnOrder(
                        plan.workload(),
                        subject,
                        variant,
                        plan.needsBroker(subject),
                        quick,
                        folder.resolve(plan.workload() + "-" + subject + "-" + variant + "-" + round),
                        file,
                        subjects.size())));
            }
            await(turns, file, plan.limit(quick));
            List<Outcome> outcomes = new ArrayList<>();
            for (Turn turn : turns) {
                outcomes.add(turn.outcome());
            }
            return outcomes;
        } catch (RuntimeException ex) {
            return Collections.nCopies(subjects.size(), Outcome.failed("it could not be made: " + ex));
        } finally {
            turns.forEach(Turn::close);
        }
    }

    /**
     * Waits until all turns have ended or the time is over. If a subject fails, the others do not wait for its turn.
     */
    private static void await(List<Turn> turns, Path file, Duration limit) throws InterruptedException {
        Set<Turn> left = new HashSet<>();
        long end = System.nanoTime() + limit.toNanos();
        while (turns.stream().anyMatch(Turn::isRunning) && System.nanoTime() < end) {
            for (Turn turn : turns) {
                if (turn.hasFailed() && left.add(turn)) {
                    Turns.leave(file);
                }
            }
            Thread.sleep(LOOK_MILLIS);
        }
    }

    /** Returns the path of a file that does not exist yet. */
    private Path turnsFile(String workload, String variant, int round) {
        Path file = folder.resolve(workload + "-" + variant + "-" + round + ".turns");
        try {
            Files.createDirectories(folder);
            Files.deleteIfExists(file);
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
        return file;
    }

    private static String line(Run run) {
        StringBuilder line = new StringBuilder(String.format(
                Locale.ROOT,
                "%s %s, %s, round %d, %d s:",
                run.workload(),
                run.subject(),
                run.variant(),
                run.round(),
                Duration.between(run.at(), Instant.now()).toSeconds()));
        run.outcome()
                .metrics()
                .forEach((name, value) -> line.append(String.format(Locale.ROOT, " %s %,.2f;", name, value)));
        run.outcome().problems().forEach(problem -> line.append(" PROBLEM ").append(problem));
        return line.toString();
    }
}
