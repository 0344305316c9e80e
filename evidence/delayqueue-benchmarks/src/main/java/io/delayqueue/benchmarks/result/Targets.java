// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.result;

import static io.delayqueue.benchmarks.subject.Subjects.BARE_CONFIRMS;
import static io.delayqueue.benchmarks.subject.Subjects.BARE_CONFIRMS_TOLD;
import static io.delayqueue.benchmarks.subject.Subjects.BARE_REDIS;
import static io.delayqueue.benchmarks.subject.Subjects.BARE_TIMER;
import static io.delayqueue.benchmarks.subject.Subjects.BARE_TIMER_SCRIPT;
import static io.delayqueue.benchmarks.subject.Subjects.HISTORY;
import static io.delayqueue.benchmarks.subject.Subjects.LOOP;
import static io.delayqueue.benchmarks.subject.Subjects.METRICS;
import static io.delayqueue.benchmarks.subject.Subjects.OBSERVED;
import static io.delayqueue.benchmarks.subject.Subjects.PLAIN;
import static io.delayqueue.benchmarks.subject.Subjects.PLAIN_INSERTS;
import static io.delayqueue.benchmarks.subject.Subjects.REDISSON;
import static io.delayqueue.benchmarks.subject.Subjects.TRACED;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;

/** What this library must reach. */
public final class Targets {

    static final List<Target> ALL = all();

    private Targets() {}

    private static List<Target> all() {
        List<Target> targets = new ArrayList<>(List.of(
                Target.atLeast("W1", "1 thread", 1, BARE_REDIS),
                Target.atLeast("W1", "8 threads", 1.2, BARE_REDIS),
                Target.atLeast("W1", "batches of 500", 0.65, BARE_REDIS),
                Target.atLeast("W1", "1 thread", 1, REDISSON),
                Target.atLeast("W1", "8 threads", 1, REDISSON),
                Target.atLeast("W1", "batches of 500", 1, REDISSON)));
        for (String flood : List.of("30,000", "50,000")) {
            targets.add(Target.atLeast("W2a", flood + " due at once", 15, REDISSON));
        }
        for (String flood : List.of("30,000", "50,000")) {
            for (String subject : List.of(METRICS, TRACED, HISTORY, OBSERVED)) {
                targets.add(Target.atLeast("W16", flood + " due at once", 0.95, PLAIN)
                        .of(subject));
            }
        }
        targets.add(Target.atMost("W4", "1 queue: commands", 1.5).of(OBSERVED));
        targets.add(Target.atLeastOfOwn("W2b", "100,000 due at once", 0.95, "30,000 due at once"));
        targets.add(Target.atLeastOfOwn("W2b", "200,000 due at once", 0.95, "50,000 due at once"));
        targets.add(Target.atLeastOfOwn("W2b", "1,000,000 due at once", 0.95, "50,000 due at once"));
        for (String flood : List.of("50,000", "200,000")) {
            String classic = flood + " due at once, classic queue";
            targets.add(Target.atLeast("W2c", classic, 0.65, BARE_CONFIRMS_TOLD));
            targets.add(Target.atLeast("W2c", classic + " with a consumer", 1.1, LOOP));
            targets.add(Target.atLeast("W2c", flood + " due at once, quorum queue", 0.6, BARE_CONFIRMS));
        }
        for (String percentile : List.of("p50", "p99")) {
            targets.add(Target.noMoreThan("W3", percentile, 1.8, BARE_TIMER_SCRIPT));
        }
        targets.add(Target.atMostAbove("W3", "max", 15, BARE_TIMER));
        targets.add(Target.atMost("W3", "early", 0));
        for (String variant : List.of("", ", empty")) {
            targets.add(Target.atMost("W4", "1 queue" + variant + ": commands", 0.5));
            targets.add(Target.atMost("W4", "20 queues" + variant + ": commands", 5));
            targets.add(Target.noMoreThan("W4", "1 queue" + variant + ": CPU", 1, REDISSON));
            targets.add(Target.noMoreThan("W4", "20 queues" + variant + ": CPU", 1, REDISSON));
        }
        targets.add(Target.atMost("W5", "bytes a task", 460));
        targets.add(Target.atLeast("W6", "100,000 pending", 0.9, LOOP));
        for (String rate : List.of("schedule", "cancel", "drain")) {
            targets.add(Target.atLeastOfOwn("W7", rate + ", 10,000,000 pending", 0.7, rate + ", 10,000 pending"));
        }
        for (int shards : new int[] {1, 4, 8}) {
            for (int processes : new int[] {1, 2, 4}) {
                targets.add(Target.atMost(
                        "W8", "empty acquires a task, " + processes + " processes, " + shards + " shards", 0.05));
            }
            String spent = "CPU of all a task, %d processes, " + shards + " shards";
            targets.add(Target.atMostOfOwn("W8", spent.formatted(4), 1.4, spent.formatted(1)));
            String withoutCompilers = "CPU of all but the compilers a task, %d processes, " + shards + " shards";
            targets.add(Target.shownOfOwn("W8", withoutCompilers.formatted(4), withoutCompilers.formatted(1)));
        }
        targets.add(Target.atMost("W9", "p99", 20));
        targets.add(Target.atMost("W9", "early", 0));
        targets.add(Target.atMost("W9", "threads", 99));
        for (String flood : List.of("200,000", "1,000,000")) {
            String name = flood + " beside another queue: ";
            targets.add(Target.atLeastOfOwn("W10", name + "rate", 0.95, "50,000 beside another queue: rate"));
            targets.add(Target.atMost("W10", name + "scripts over 10 ms", 0));
            targets.add(Target.atMost("W10", name + "other queue's p99", 20));
            targets.add(Target.atMostOfOwn("W10", name + "heap, most", 2, name + "heap, before"));
        }
        targets.add(Target.atMost("W11", "added to its parts", 250));
        targets.add(Target.noMoreThan("W11", "added", 1, REDISSON));
        targets.add(Target.atMost("W11", "first task late", 20));
        for (String threads : List.of("1 thread", "8 threads")) {
            targets.add(Target.atLeast("W12", threads, 0.8, PLAIN_INSERTS));
        }
        targets.add(Target.atMost("W13", "p99", 10));
        targets.add(Target.atLeastValue("W14", "rate", 20_000));
        targets.add(Target.atLeastOfOwn("W14", "rate, last tenth", 0.8, "rate, second tenth"));
        targets.add(Target.atMost("W15", "queries", 1));
        return List.copyOf(targets);
    }

    static List<Verdict> judge(Results results) {
        return ALL.stream()
                .flatMap(target -> Run.VARIANTS.stream()
                        .map(variant -> target.with(Run.suffix(variant)).judge(results.in(variant))))
                .filter(Objects::nonNull)
                .toList();
    }

    /**
     * The rows that were missed, in words; empty when all is well. A run of this library with a problem is one, too,
     * and so is a target that could not be judged.
     */
    public static List<String> missed(Collection<Run> runs) {
        Results results = new Results(runs);
        Libraries libraries = new Libraries(runs);
        List<String> rows = new ArrayList<>(results.problems(true));
        judge(results).stream()
                .filter(verdict -> libraries.isLastOf(verdict.target().workload()) && !verdict.isMet())
                .map(Verdict::row)
                .forEach(rows::add);
        return rows;
    }
}
