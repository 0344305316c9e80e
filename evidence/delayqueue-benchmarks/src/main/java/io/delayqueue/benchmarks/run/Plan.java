// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.run;

import static io.delayqueue.benchmarks.subject.Subjects.BARE_CONFIRMS;
import static io.delayqueue.benchmarks.subject.Subjects.BARE_CONFIRMS_TOLD;
import static io.delayqueue.benchmarks.subject.Subjects.BARE_INTAKE;
import static io.delayqueue.benchmarks.subject.Subjects.BARE_PIPELINE;
import static io.delayqueue.benchmarks.subject.Subjects.BARE_REDIS;
import static io.delayqueue.benchmarks.subject.Subjects.BARE_SCRIPT;
import static io.delayqueue.benchmarks.subject.Subjects.BARE_TIMER;
import static io.delayqueue.benchmarks.subject.Subjects.BARE_TIMER_SCRIPT;
import static io.delayqueue.benchmarks.subject.Subjects.BULLMQ;
import static io.delayqueue.benchmarks.subject.Subjects.DB_SCHEDULER;
import static io.delayqueue.benchmarks.subject.Subjects.DELAYQUEUE;
import static io.delayqueue.benchmarks.subject.Subjects.HISTORY;
import static io.delayqueue.benchmarks.subject.Subjects.KEYED;
import static io.delayqueue.benchmarks.subject.Subjects.KEY_BOTH;
import static io.delayqueue.benchmarks.subject.Subjects.KEY_CONCURRENCY;
import static io.delayqueue.benchmarks.subject.Subjects.KEY_RATE;
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
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The plan for a workload.
 *
 * @param workload its name
 * @param subjects the subjects, in the order of their turns
 * @param others further subjects that take part on request
 * @param rounds number of rounds
 * @param brokers the subjects that each need a RabbitMQ server
 * @param together whether the subjects of a round run at the same time, each with a separate Redis; used for idle
 *     subjects and for subjects that take turns
 * @param variants variants of Redis, one after the other
 */
record Plan(
        String workload,
        List<String> subjects,
        List<String> others,
        int rounds,
        List<String> brokers,
        boolean together,
        List<String> variants) {

    static final List<String> ALL = List.of(
            "W1", "W2a", "W2b", "W2c", "W3", "W4", "W5", "W6", "W7", "W8", "W9", "W10", "W11", "W12", "W13", "W14",
            "W15", "W16", "W17", "W18", "W19");
    static final List<String> QUICK = List.of("W1", "W2a", "W2c", "W3", "W4", "W5", "W6");

    /** The subjects for the cost of meters, traces and histories. */
    private static final List<String> OBSERVING = List.of(PLAIN, METRICS, TRACED, HISTORY, OBSERVED);

    /** The subjects for the cost of limits. */
    private static final List<String> LIMITED = List.of(KEYED, KEY_RATE, KEY_CONCURRENCY, KEY_BOTH);

    private static final List<String> WITHOUT = List.of(Run.NONE);
    private static final List<String> BOTH = List.of(Run.NONE, Run.EVERYSEC);
    private static final List<String> STANDALONE_AND_CLUSTER = List.of(Run.NONE, Run.CLUSTER);

    private static final List<String> DATABASES = List.of(Run.POSTGRES, Run.MARIADB);

    static Plan full(String workload) {
        return switch (workload) {
            case "W1" ->
                plan(
                                "W1",
                                3,
                                BOTH,
                                DELAYQUEUE,
                                LOOP,
                                LOOP_ONE_ZADD,
                                REDISSON,
                                BULLMQ,
                                DB_SCHEDULER,
                                BARE_REDIS,
                                BARE_PIPELINE,
                                BARE_SCRIPT,
                                RQUEUE)
                        .atTheSameTime()
                        .or(OBSERVING.toArray(String[]::new));
            case "W2a" ->
                plan(
                        "W2a",
                        3,
                        BOTH,
                        DELAYQUEUE,
                        REDISSON,
                        BULLMQ,
                        DB_SCHEDULER,
                        LOOP_100MS,
                        BARE_REDIS,
                        RQUEUE,
                        RQUEUE_TUNED);
            case "W2b" -> plan("W2b", 3, WITHOUT, DELAYQUEUE);
            case "W2c" ->
                plan("W2c", 3, BOTH, DELAYQUEUE, LOOP, TTL_DLX, BARE_CONFIRMS, BARE_CONFIRMS_TOLD)
                        .withBroker();
            case "W3" ->
                plan(
                                "W3",
                                3,
                                WITHOUT,
                                DELAYQUEUE,
                                LOOP,
                                LOOP_100MS,
                                REDISSON,
                                BULLMQ,
                                DB_SCHEDULER,
                                TTL_DLX,
                                BARE_TIMER,
                                BARE_TIMER_SCRIPT,
                                RQUEUE,
                                RQUEUE_TUNED)
                        .withBrokerFor(TTL_DLX)
                        .or(OBSERVING.toArray(String[]::new));
            case "W4" ->
                plan("W4", 3, WITHOUT, DELAYQUEUE, OBSERVED, LOOP, LOOP_100MS, REDISSON, BULLMQ, RQUEUE)
                        .atTheSameTime()
                        .or(PLAIN, METRICS, TRACED, HISTORY);
            case "W5" -> plan("W5", 3, WITHOUT, DELAYQUEUE, LOOP, REDISSON, BULLMQ, BARE_REDIS, RQUEUE);
            case "W6" -> plan("W6", 3, BOTH, DELAYQUEUE, LOOP, REDISSON, BULLMQ, BARE_REDIS);
            case "W7" -> plan("W7", 3, WITHOUT, DELAYQUEUE, LOOP_100MS);
            case "W8" -> plan("W8", 3, STANDALONE_AND_CLUSTER, DELAYQUEUE, LOOP_100MS, BARE_REDIS);
            case "W9" -> plan("W9", 3, WITHOUT, DELAYQUEUE);
            case "W10" -> plan("W10", 3, WITHOUT, DELAYQUEUE);
            case "W11" ->
                plan("W11", 3, WITHOUT, DELAYQUEUE, PARTS, REDISSON, SPRING_RABBIT, SPRING_DATA_REDIS)
                        .withBroker();
            case "W12" -> plan("W12", 3, DATABASES, DELAYQUEUE, PLAIN_INSERTS, TWO_INSERTS, DB_SCHEDULER, NAMASTACK);
            case "W13" -> plan("W13", 3, DATABASES, DELAYQUEUE, NAMASTACK);
            case "W14" -> plan("W14", 3, DATABASES, DELAYQUEUE);
            case "W15" -> plan("W15", 3, DATABASES, DELAYQUEUE, NAMASTACK);
            case "W16" ->
                plan("W16", 3, WITHOUT, OBSERVING.toArray(String[]::new)).atTheSameTime();
            case "W17" ->
                plan("W17", 3, WITHOUT, LIMITED.toArray(String[]::new)).atTheSameTime();
            case "W18" -> plan("W18", 3, WITHOUT, DELAYQUEUE);
            case "W19" -> plan("W19", 3, WITHOUT, DELAYQUEUE, BARE_INTAKE).withBroker();
            default -> throw new IllegalArgumentException("No workload is called " + workload + "; there are " + ALL);
        };
    }

    static Plan quick(String workload) {
        return switch (workload) {
            case "W1" ->
                plan(
                                "W1",
                                3,
                                WITHOUT,
                                DELAYQUEUE,
                                LOOP,
                                LOOP_ONE_ZADD,
                                REDISSON,
                                BARE_REDIS,
                                BARE_PIPELINE,
                                BARE_SCRIPT)
                        .atTheSameTime()
                        .or(BULLMQ, DB_SCHEDULER)
                        .or(OBSERVING.toArray(String[]::new));
            case "W2a" ->
                plan("W2a", 3, WITHOUT, DELAYQUEUE, REDISSON, RQUEUE, RQUEUE_TUNED)
                        .or(BULLMQ, DB_SCHEDULER);
            case "W2b" -> plan("W2b", 1, WITHOUT, DELAYQUEUE);
            case "W2c" ->
                plan("W2c", 3, WITHOUT, DELAYQUEUE, LOOP, BARE_CONFIRMS, BARE_CONFIRMS_TOLD)
                        .withBroker();
            case "W3" ->
                plan("W3", 3, WITHOUT, DELAYQUEUE, REDISSON, BARE_TIMER, BARE_TIMER_SCRIPT, RQUEUE, RQUEUE_TUNED)
                        .or(BULLMQ, DB_SCHEDULER)
                        .or(OBSERVING.toArray(String[]::new));
            case "W4" ->
                plan("W4", 1, WITHOUT, DELAYQUEUE, OBSERVED, LOOP, REDISSON)
                        .atTheSameTime()
                        .or(BULLMQ, PLAIN, METRICS, TRACED, HISTORY);
            case "W5" -> plan("W5", 1, WITHOUT, DELAYQUEUE, LOOP, REDISSON).or(BULLMQ);
            case "W6" -> plan("W6", 3, WITHOUT, DELAYQUEUE, LOOP, REDISSON).or(BULLMQ);
            case "W7" -> plan("W7", 1, WITHOUT, DELAYQUEUE);
            case "W8" -> plan("W8", 1, WITHOUT, DELAYQUEUE);
            case "W9" -> plan("W9", 1, WITHOUT, DELAYQUEUE);
            case "W10" -> plan("W10", 1, WITHOUT, DELAYQUEUE);
            case "W11" ->
                plan("W11", 1, WITHOUT, DELAYQUEUE, PARTS, REDISSON, SPRING_RABBIT, SPRING_DATA_REDIS)
                        .withBroker();
            case "W12" -> plan("W12", 2, DATABASES, DELAYQUEUE, PLAIN_INSERTS, TWO_INSERTS, DB_SCHEDULER, NAMASTACK);
            case "W13", "W14", "W15" -> plan(workload, 1, DATABASES, DELAYQUEUE);
            case "W16" ->
                plan("W16", 1, WITHOUT, OBSERVING.toArray(String[]::new)).atTheSameTime();
            case "W17" ->
                plan("W17", 1, WITHOUT, LIMITED.toArray(String[]::new)).atTheSameTime();
            case "W18" -> plan("W18", 1, WITHOUT, DELAYQUEUE);
            case "W19" -> plan("W19", 1, WITHOUT, DELAYQUEUE, BARE_INTAKE).withBroker();
            default -> throw new IllegalArgumentException("No workload is called " + workload + "; there are " + ALL);
        };
    }

    private static Plan plan(String workload, int rounds, List<String> variants, String... subjects) {
        return new Plan(workload, List.of(subjects), List.of(), rounds, List.of(), false, variants);
    }

    private Plan withBroker() {
        return withBrokerFor(subjects.toArray(String[]::new));
    }

    private Plan withBrokerFor(String... some) {
        return new Plan(workload, subjects, others, rounds, List.of(some), together, variants);
    }

    private Plan atTheSameTime() {
        return new Plan(workload, subjects, others, rounds, brokers, true, variants);
    }

    private Plan or(String... more) {
        List<String> all = Stream.concat(others.stream(), Stream.of(more)).toList();
        return new Plan(workload, subjects, all, rounds, brokers, together, variants);
    }

    /**
     * Returns the subjects for this variant. Only this library runs on a cluster, and the cost of observation is
     * measured without persistence. db-scheduler does not use Redis, and Rqueue with its defaults is limited by its own
     * pauses.
     */
    List<String> subjectsOf(String variant) {
        return switch (variant) {
            case Run.CLUSTER -> subjects.stream().filter(DELAYQUEUE::equals).toList();
            case Run.EVERYSEC ->
                subjects.stream()
                        .filter(subject -> !OBSERVING.contains(subject)
                                && !subject.equals(DB_SCHEDULER)
                                && !subject.equals(RQUEUE))
                        .toList();
            default -> subjects;
        };
    }

    boolean needsBroker(String subject) {
        return brokers.contains(subject);
    }

    /** Returns the maximum duration of a run, which is several times the usual one. Longer runs are aborted. */
    Duration limit(boolean quick) {
        return quick && QUICK.contains(workload) ? Duration.ofMinutes(together ? 6 : 3) : Duration.ofMinutes(30);
    }

    /** Returns whether these runs contain a round of this plan on a variant. Runs with problems do not count. */
    boolean isIn(Collection<Run> runs, String variant, int round) {
        return subjectsOf(variant).stream()
                .allMatch(subject -> runs.stream()
                        .anyMatch(run -> ofRound(variant, round).test(run)
                                && run.subject().equals(subject)
                                && !run.hasProblems()));
    }

    /** Returns a condition for the runs of one round of this plan on a variant. */
    Predicate<Run> ofRound(String variant, int round) {
        return run -> run.workload().equals(workload)
                && run.round() == round
                && run.variant().equals(variant)
                && subjects.contains(run.subject());
    }

    Plan withRounds(int number) {
        return new Plan(workload, subjects, others, number, brokers, together, variants);
    }

    /** Returns this plan with only the requested subjects, including those that take part on request. */
    Plan askedFor(Set<String> wanted) {
        List<String> all = Stream.concat(subjects.stream(), others.stream()).toList();
        return new Plan(workload, all, List.of(), rounds, brokers, together, variants).onlySubjects(wanted::contains);
    }

    Plan onlySubjects(Predicate<String> wanted) {
        return new Plan(
                workload, subjects.stream().filter(wanted).toList(), others, rounds, brokers, together, variants);
    }
}
