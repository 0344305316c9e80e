// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.result;

import io.delayqueue.benchmarks.subject.Subjects;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Looks values up in runs. */
final class Results {

    /** Where all subjects are there at the same time and take turns: what they did in the same turn is a pair. */
    private static final Set<String> IN_TURNS = Set.of("W1", "W16");

    private final List<Run> runs;

    Results(Collection<Run> runs) {
        this.runs = List.copyOf(runs);
    }

    /** The runs of one variant. */
    Results in(String variant) {
        return new Results(
                runs.stream().filter(run -> run.variant().equals(variant)).toList());
    }

    /** In the order of the runs. */
    Set<String> workloads() {
        Set<String> names = new LinkedHashSet<>();
        runs.forEach(run -> names.add(run.workload()));
        return names;
    }

    /** Of a workload, in the order of the runs. */
    Set<String> subjects(String workload) {
        Set<String> names = new LinkedHashSet<>();
        of(workload).forEach(run -> names.add(run.subject()));
        return names;
    }

    /** Of a workload, in the order in which they were measured. */
    Set<String> metrics(String workload) {
        Set<String> names = new LinkedHashSet<>();
        subjects(workload).forEach(subject -> names.addAll(metrics(workload, subject)));
        return names;
    }

    /** What a subject measured, in runs with problems too. */
    Set<String> metrics(String workload, String subject) {
        Set<String> names = new LinkedHashSet<>();
        of(workload, subject)
                .forEach(run -> metrics(run).keySet().forEach(metric -> names.add(run.metricName(metric))));
        return names;
    }

    /** The values of {@link #measured}. */
    Collection<Double> values(String workload, String subject, String metric) {
        return measured(workload, subject, metric).values().stream()
                .map(Measured::value)
                .toList();
    }

    /** By round. A run with problems has nothing, and what is no number is nothing. */
    Map<Integer, Measured> measured(String workload, String subject, String metric) {
        Map<Integer, Measured> measured = new TreeMap<>();
        for (Run run : of(workload, subject)) {
            if (!run.hasProblems()) {
                metrics(run).forEach((name, value) -> {
                    if (run.metricName(name).equals(metric) && Double.isFinite(value)) {
                        measured.put(run.round(), new Measured(value, turns(run, name)));
                    }
                });
            }
        }
        return measured;
    }

    private static Map<String, Double> metrics(Run run) {
        Map<String, Double> metrics = run.outcome().metrics();
        return run.workload().equals("W8") ? WithoutCompilers.added(metrics) : metrics;
    }

    private static List<Double> turns(Run run, String metric) {
        return IN_TURNS.contains(run.workload()) ? run.outcome().samples().getOrDefault(metric, List.of()) : List.of();
    }

    /** What was wrong with this library, observed or not, or with others; with the names of workload and subject. */
    List<String> problems(boolean ofThisLibrary) {
        List<String> problems = new ArrayList<>();
        for (Run run : runs) {
            if (run.subject().startsWith(Subjects.DELAYQUEUE) == ofThisLibrary) {
                run.outcome()
                        .problems()
                        .forEach(problem -> problems.add(
                                run.workload() + ", " + run.subject() + ", round " + run.round() + ": " + problem));
            }
        }
        return problems;
    }

    List<Run> of(String workload) {
        return runs.stream().filter(run -> run.workload().equals(workload)).toList();
    }

    List<Run> of(String workload, String subject) {
        return of(workload).stream()
                .filter(run -> run.subject().equals(subject))
                .toList();
    }
}
