// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.run;

import static io.delayqueue.benchmarks.subject.Subjects.BARE_CONFIRMS;
import static io.delayqueue.benchmarks.subject.Subjects.BARE_CONFIRMS_TOLD;
import static io.delayqueue.benchmarks.subject.Subjects.BARE_REDIS;
import static io.delayqueue.benchmarks.subject.Subjects.BARE_TIMER;
import static io.delayqueue.benchmarks.subject.Subjects.DB_SCHEDULER;
import static io.delayqueue.benchmarks.subject.Subjects.DELAYQUEUE;
import static io.delayqueue.benchmarks.subject.Subjects.HISTORY;
import static io.delayqueue.benchmarks.subject.Subjects.LOOP;
import static io.delayqueue.benchmarks.subject.Subjects.LOOP_100MS;
import static io.delayqueue.benchmarks.subject.Subjects.LOOP_ONE_ZADD;
import static io.delayqueue.benchmarks.subject.Subjects.METRICS;
import static io.delayqueue.benchmarks.subject.Subjects.NAMASTACK;
import static io.delayqueue.benchmarks.subject.Subjects.OBSERVED;
import static io.delayqueue.benchmarks.subject.Subjects.PARTS;
import static io.delayqueue.benchmarks.subject.Subjects.PLAIN;
import static io.delayqueue.benchmarks.subject.Subjects.PLAIN_INSERTS;
import static io.delayqueue.benchmarks.subject.Subjects.REDISSON;
import static io.delayqueue.benchmarks.subject.Subjects.RQUEUE;
import static io.delayqueue.benchmarks.subject.Subjects.RQUEUE_TUNED;
import static io.delayqueue.benchmarks.subject.Subjects.SPRING_DATA_REDIS;
import static io.delayqueue.benchmarks.subject.Subjects.SPRING_RABBIT;
import static io.delayqueue.benchmarks.subject.Subjects.TRACED;
import static io.delayqueue.benchmarks.subject.Subjects.TTL_DLX;
import static io.delayqueue.benchmarks.subject.Subjects.TWO_INSERTS;

import io.delayqueue.benchmarks.result.Run;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * How a workload is run.
 *
 * @param workload its name
 * @param subjects in the order in which they take turns
 * @param rounds how many turns
 * @param broker whether it takes a RabbitMQ server
 * @param together whether the subjects of a round run at the same time, each on a Redis of its own: for what is idle
 * @param variants of Redis, one after the other
 */
record Plan(
        String workload, List<String> subjects, int rounds, boolean broker, boolean together, List<String> variants) {

    static final List<String> ALL = List.of(
            "W1", "W2a", "W2b", "W2c", "W3", "W4", "W5", "W6", "W7", "W8", "W9", "W10", "W11", "W12", "W13", "W14",
            "W15");
    static final List<String> QUICK = List.of("W1", "W2a", "W2c", "W3", "W4", "W5", "W6");

    private static final List<String> OBSERVED_IN = List.of("W1", "W2a", "W3", "W4");
    private static final List<String> OBSERVING = List.of(PLAIN, METRICS, TRACED, HISTORY, OBSERVED);

    private static final List<String> WITHOUT = List.of(Run.NONE);
    private static final List<String> BOTH = List.of(Run.NONE, Run.EVERYSEC);
    private static final List<String> STANDALONE_AND_CLUSTER = List.of(Run.NONE, Run.CLUSTER);

    private static final List<String> DATABASES = List.of(Run.POSTGRES, Run.MARIADB);

    static Plan full(String workload) {
        return withVariants(
                switch (workload) {
                    case "W1" ->
                        plan("W1", 5, false, BOTH, DELAYQUEUE, LOOP, LOOP_ONE_ZADD, REDISSON, BARE_REDIS, RQUEUE);
                    case "W2a" ->
                        plan("W2a", 5, false, BOTH, DELAYQUEUE, REDISSON, LOOP_100MS, BARE_REDIS, RQUEUE, RQUEUE_TUNED);
                    case "W2b" -> plan("W2b", 3, false, WITHOUT, DELAYQUEUE);
                    case "W2c" ->
                        plan("W2c", 5, true, BOTH, DELAYQUEUE, LOOP, TTL_DLX, BARE_CONFIRMS, BARE_CONFIRMS_TOLD);
                    case "W3" ->
                        plan(
                                "W3",
                                3,
                                true,
                                WITHOUT,
                                DELAYQUEUE,
                                LOOP,
                                LOOP_100MS,
                                REDISSON,
                                TTL_DLX,
                                BARE_TIMER,
                                RQUEUE,
                                RQUEUE_TUNED);
                    case "W4" ->
                        plan("W4", 3, false, WITHOUT, DELAYQUEUE, LOOP, LOOP_100MS, REDISSON, RQUEUE)
                                .atTheSameTime();
                    case "W5" -> plan("W5", 3, false, WITHOUT, DELAYQUEUE, LOOP, REDISSON, BARE_REDIS, RQUEUE);
                    case "W6" -> plan("W6", 5, false, BOTH, DELAYQUEUE, LOOP, REDISSON, BARE_REDIS);
                    case "W7" -> plan("W7", 2, false, WITHOUT, DELAYQUEUE, LOOP_100MS);
                    case "W8" -> plan("W8", 3, false, STANDALONE_AND_CLUSTER, DELAYQUEUE, LOOP_100MS, BARE_REDIS);
                    case "W9" -> plan("W9", 3, false, WITHOUT, DELAYQUEUE);
                    case "W10" -> plan("W10", 3, false, WITHOUT, DELAYQUEUE);
                    case "W11" ->
                        plan("W11", 3, true, WITHOUT, DELAYQUEUE, PARTS, REDISSON, SPRING_RABBIT, SPRING_DATA_REDIS);
                    case "W12" ->
                        plan(
                                "W12",
                                3,
                                false,
                                DATABASES,
                                DELAYQUEUE,
                                PLAIN_INSERTS,
                                TWO_INSERTS,
                                DB_SCHEDULER,
                                NAMASTACK);
                    case "W13" -> plan("W13", 3, false, DATABASES, DELAYQUEUE, NAMASTACK);
                    case "W14" -> plan("W14", 1, false, DATABASES, DELAYQUEUE);
                    case "W15" -> plan("W15", 1, false, DATABASES, DELAYQUEUE, NAMASTACK);
                    default ->
                        throw new IllegalArgumentException("No workload is called " + workload + "; there are " + ALL);
                });
    }

    static Plan quick(String workload) {
        return withVariants(
                switch (workload) {
                    case "W1" -> plan("W1", 3, false, WITHOUT, DELAYQUEUE, LOOP, LOOP_ONE_ZADD, REDISSON, BARE_REDIS);
                    case "W2a" -> plan("W2a", 3, false, WITHOUT, DELAYQUEUE, REDISSON, RQUEUE, RQUEUE_TUNED);
                    case "W2b" -> plan("W2b", 1, false, WITHOUT, DELAYQUEUE);
                    case "W2c" -> plan("W2c", 3, true, WITHOUT, DELAYQUEUE, LOOP, BARE_CONFIRMS, BARE_CONFIRMS_TOLD);
                    case "W3" -> plan("W3", 3, false, WITHOUT, DELAYQUEUE, REDISSON, BARE_TIMER, RQUEUE, RQUEUE_TUNED);
                    case "W4" ->
                        plan("W4", 1, false, WITHOUT, DELAYQUEUE, LOOP, REDISSON)
                                .atTheSameTime();
                    case "W5" -> plan("W5", 1, false, WITHOUT, DELAYQUEUE, LOOP, REDISSON);
                    case "W6" -> plan("W6", 3, false, WITHOUT, DELAYQUEUE, LOOP, REDISSON);
                    case "W7" -> plan("W7", 1, false, WITHOUT, DELAYQUEUE);
                    case "W8" -> plan("W8", 1, false, WITHOUT, DELAYQUEUE);
                    case "W9" -> plan("W9", 1, false, WITHOUT, DELAYQUEUE);
                    case "W10" -> plan("W10", 1, false, WITHOUT, DELAYQUEUE);
                    case "W11" ->
                        plan("W11", 1, true, WITHOUT, DELAYQUEUE, PARTS, REDISSON, SPRING_RABBIT, SPRING_DATA_REDIS);
                    case "W12" ->
                        plan(
                                "W12",
                                2,
                                false,
                                DATABASES,
                                DELAYQUEUE,
                                PLAIN_INSERTS,
                                TWO_INSERTS,
                                DB_SCHEDULER,
                                NAMASTACK);
                    case "W13", "W14", "W15" -> plan(workload, 1, false, DATABASES, DELAYQUEUE);
                    default ->
                        throw new IllegalArgumentException("No workload is called " + workload + "; there are " + ALL);
                });
    }

    /** What meters, traces, histories and rates cost, where that is asked for. */
    private static Plan withVariants(Plan plan) {
        if (!OBSERVED_IN.contains(plan.workload)) {
            return plan;
        }
        List<String> subjects = new ArrayList<>(plan.subjects);
        subjects.addAll(OBSERVING);
        return new Plan(plan.workload, List.copyOf(subjects), plan.rounds, plan.broker, plan.together, plan.variants);
    }

    private static Plan plan(String workload, int rounds, boolean broker, List<String> variants, String... subjects) {
        return new Plan(workload, List.of(subjects), rounds, broker, false, variants);
    }

    private Plan atTheSameTime() {
        return new Plan(workload, subjects, rounds, broker, true, variants);
    }

    /**
     * The subjects that know this variant: only this library is taken to a cluster, and what observing costs is asked
     * without persistence.
     */
    List<String> subjectsOf(String variant) {
        return switch (variant) {
            case Run.CLUSTER -> subjects.stream().filter(DELAYQUEUE::equals).toList();
            case Run.EVERYSEC ->
                subjects.stream()
                        .filter(subject -> !OBSERVING.contains(subject))
                        .toList();
            default -> subjects;
        };
    }

    Plan withRounds(int number) {
        return new Plan(workload, subjects, number, broker, together, variants);
    }

    Plan onlySubjects(Predicate<String> wanted) {
        return new Plan(workload, subjects.stream().filter(wanted).toList(), rounds, broker, together, variants);
    }
}
