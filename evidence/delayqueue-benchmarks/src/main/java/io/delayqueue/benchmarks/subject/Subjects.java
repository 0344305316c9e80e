// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.subject;

import io.delayqueue.benchmarks.server.Place;
import java.time.Duration;
import java.util.ServiceLoader;

/** Makes subjects by name. */
public final class Subjects {

    /** The system property with the folder that the scripts of Node and what they need are in. */
    public static final String NODE_FOLDER = "benchmark.node";

    /** This library. */
    public static final String DELAYQUEUE = "delayqueue";

    /** This library without meters, traces and histories. */
    public static final String PLAIN = "delayqueue-plain";

    /** The same with meters. */
    public static final String METRICS = "delayqueue-metrics";

    /** The same with meters, and traces of which one in ten is sampled. */
    public static final String TRACED = "delayqueue-traced";

    /** The same with the history of each task. */
    public static final String HISTORY = "delayqueue-history";

    /** This library with meters, traces and histories. */
    public static final String OBSERVED = "delayqueue-observed";

    /** The reference loop: four threads that pop one task at a time and sleep a second when there is none. */
    public static final String LOOP = "loop";

    /** The same, sleeping 100 ms. */
    public static final String LOOP_100MS = "loop-100ms";

    /** The same as the first, which stores a batch with one command instead of a pipeline. */
    public static final String LOOP_ONE_ZADD = "loop-one-zadd";

    /** Redisson's delayed queue. */
    public static final String REDISSON = "redisson";

    /** RabbitMQ: a time to live for each message, and a dead-letter exchange. */
    public static final String TTL_DLX = "ttl-dlx";

    /** Spring AMQP's starter: only its start is measured. */
    public static final String SPRING_RABBIT = "spring-rabbit";

    /** The starters of Spring Boot that this library's brings, with a connection to Redis that pings once: a limit. */
    public static final String PARTS = "parts";

    /** Spring Data Redis' starter, which connects and pings once: only its start is measured. */
    public static final String SPRING_DATA_REDIS = "spring-data-redis";

    /** The bare Redis commands that storing and popping take, in batches of 100 where they pop: a limit. */
    public static final String BARE_REDIS = "bare-redis";

    /** The same, where the two commands that store go to Redis by one write: a harder limit of storing. */
    public static final String BARE_PIPELINE = "bare-pipeline";

    /** The shortest script that stores tasks by their ids and knows which is due first: a limit. */
    public static final String BARE_SCRIPT = "bare-script";

    /** The RabbitMQ client publishing with confirms, out of memory: a limit. */
    public static final String BARE_CONFIRMS = "bare-confirms";

    /** The same with an id and headers in each message, and mandatory: the limit of what this library sends. */
    public static final String BARE_CONFIRMS_TOLD = "bare-confirms-told";

    /** A timer of the JVM, without Redis: a limit. */
    public static final String BARE_TIMER = "bare-timer";

    /** The same with tasks in Redis, and one script call when each is due: a limit. */
    public static final String BARE_TIMER_SCRIPT = "bare-timer-script";

    /** Rqueue with its defaults. */
    public static final String RQUEUE = "rqueue";

    /** Rqueue with the settings that hold its rate back raised. */
    public static final String RQUEUE_TUNED = "rqueue-tuned";

    /** The user's insert in a transaction, and nothing else: a limit of what schedules in transactions. */
    public static final String PLAIN_INSERTS = "plain-inserts";

    /** The same with one more insert, into a table that nothing reads: a limit of what keeps a row beside the order. */
    public static final String TWO_INSERTS = "two-inserts";

    /** BullMQ, in a process of Node. */
    public static final String BULLMQ = "bullmq";

    /** db-scheduler, which keeps its tasks in the database; where there are transactions, scheduling in the user's. */
    public static final String DB_SCHEDULER = "db-scheduler";

    /** Namastack Outbox with its defaults, whose handler schedules by this library. */
    public static final String NAMASTACK = "namastack";

    private Subjects() {}

    /** Returns whether it needs the class path that Rqueue and its Spring generation are on. */
    public static boolean isRqueue(String name) {
        return name.equals(RQUEUE) || name.equals(RQUEUE_TUNED);
    }

    /** Returns whether it needs the class path that meters and tracers are on. */
    public static boolean isMeasured(String name) {
        return name.equals(METRICS) || name.equals(TRACED) || name.equals(OBSERVED);
    }

    public static Subject open(String name, Place place, Need need) {
        return switch (name) {
            case DELAYQUEUE -> new DelayqueueSubject(place, need);
            case PLAIN, METRICS, TRACED, HISTORY, OBSERVED ->
                DelayqueueSubject.with(place, need, Observing.properties(name));
            case LOOP -> new LoopSubject(place, need, Duration.ofSeconds(1), false);
            case LOOP_ONE_ZADD -> new LoopSubject(place, need, Duration.ofSeconds(1), true);
            case LOOP_100MS -> new LoopSubject(place, need, Duration.ofMillis(100), false);
            case REDISSON -> new RedissonSubject(place, need);
            case TTL_DLX -> new TtlDlxSubject(place, need);
            case BARE_REDIS -> new BareRedisSubject(place, need);
            case BARE_PIPELINE -> new BarePipelineSubject(place);
            case BARE_SCRIPT -> new BareScriptSubject(place);
            case BARE_CONFIRMS -> new BareConfirmsSubject(place, need, false);
            case BARE_CONFIRMS_TOLD -> new BareConfirmsSubject(place, need, true);
            case BARE_TIMER -> new BareTimerSubject(need);
            case BARE_TIMER_SCRIPT -> new BareTimerScriptSubject(place, need);
            case BULLMQ -> new BullmqSubject(place, need);
            case DB_SCHEDULER -> new DbSchedulerSubject(place, need);
            case RQUEUE, RQUEUE_TUNED ->
                ServiceLoader.load(SubjectFactory.class)
                        .findFirst()
                        .orElseThrow(() -> new IllegalStateException("Rqueue is not on the class path"))
                        .open(name, place, need);
            default -> throw new IllegalArgumentException("No subject is called " + name);
        };
    }
}
