// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.result;

import io.delayqueue.benchmarks.subject.Subjects;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** What each subject measured, and this library's ratio to it. */
final class MeasurementTable {

    private static final String HAD_PROBLEMS = "had problems";

    private final Results all;

    MeasurementTable(Results all) {
        this.all = all;
    }

    void write(StringBuilder text) {
        text.append("| workload | what | subject | median | min | max | unit | better is | rounds |");
        text.append(" delayqueue / subject |\n");
        text.append("| --- | --- | --- | ---: | ---: | ---: | --- | --- | ---: | ---: |\n");
        for (String workload : all.workloads()) {
            for (String variant : Run.VARIANTS) {
                rows(workload, variant).forEach(row -> Report.row(text, row));
            }
        }
    }

    private List<List<String>> rows(String workload, String variant) {
        Results results = all.in(variant);
        List<List<String>> rows = new ArrayList<>();
        Set<String> subjects = results.subjects(workload);
        for (String metric : results.metrics(workload)) {
            for (String subject : subjects) {
                if (results.metrics(workload, subject).contains(metric)) {
                    rows.add(row(results, workload, metric, subject));
                }
            }
        }
        for (String subject : subjects) {
            if (results.metrics(workload, subject).isEmpty()) {
                String rounds = rounds(results, workload, subject, 0);
                String what = "everything" + Run.suffix(variant);
                rows.add(List.of(workload, what, subject, HAD_PROBLEMS, "", "", "", "", rounds, ""));
            }
        }
        return rows;
    }

    private static List<String> row(Results results, String workload, String metric, String subject) {
        Collection<Double> values = results.values(workload, subject, metric);
        List<String> row = new ArrayList<>(List.of(workload, metric, subject));
        if (values.isEmpty()) {
            row.addAll(List.of(problems(results, workload, subject) > 0 ? HAD_PROBLEMS : "not measured", "", ""));
        } else {
            Summary summary = Summary.of(values);
            row.addAll(
                    List.of(Numbers.text(summary.median()), Numbers.text(summary.min()), Numbers.text(summary.max())));
        }
        String unit = Units.of(workload, metric);
        row.add(unit);
        row.add(Units.better(unit));
        row.add(rounds(results, workload, subject, values.size()));
        row.add(compared(results, workload, metric, subject));
        return row;
    }

    private static String compared(Results results, String workload, String metric, String subject) {
        if (subject.equals(Subjects.DELAYQUEUE)) {
            return "";
        }
        List<Double> ratios = new Pairs(
                        results.measured(workload, Subjects.DELAYQUEUE, metric),
                        results.measured(workload, subject, metric))
                .ratios();
        return ratios.isEmpty() ? "" : Numbers.text(Summary.of(ratios).median());
    }

    private static String rounds(Results results, String workload, String subject, int measured) {
        long problems = problems(results, workload, subject);
        return problems == 0 ? String.valueOf(measured) : measured + "; " + problems + " " + HAD_PROBLEMS;
    }

    private static long problems(Results results, String workload, String subject) {
        return results.of(workload, subject).stream().filter(Run::hasProblems).count();
    }
}
