// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.subject;

import io.delayqueue.benchmarks.server.Place;
import java.time.Duration;
import java.util.ServiceLoader;

/** Makes subjects by name. */
public final class Subjects {

    /** The system property with the folder of the Node scripts and their modules. */
    public static final String NODE_FOLDER = "benchmark.node";

    /** This library. */
    public static final String DELAYQUEUE = "delayqueue";

    /** This library without meters, traces and histories. */
    public static final String PLAIN = "delayqueue-plain";

    /** The plain subject with meters. */
    public static final String METRICS = "delayqueue-metrics";

    /** The plain subject with meters and with tracing that samples one trace in ten. */
    public static final String TRACED = "delayqueue-traced";

    /** The plain subject with the history of each task. */
    public static final String HISTORY = "delayqueue-history";

    /** This library with meters, traces and histories. */
    public static final String OBSERVED = "delayqueue-observed";

    /** This library with tasks that have keys, without limits. */
    public static final String KEYED = "delayqueue-keyed";

    /** The keyed subject with a rate that no key exceeds. */
    public static final String KEY_RATE = "delayqueue-key-rate";

    /** The keyed subject with a concurrency that no key exceeds. */
    public static final String KEY_CONCURRENCY = "delayqueue-key-concurrency";

    /** The keyed subject with both. */
    public static final String KEY_BOTH = "delayqueue-key-both";

    /** The reference loop: four threads that pop one task at a time and sleep a second when there is none. */
    public static final String LOOP = "loop";

    /** The reference loop with a sleep of 100 ms. */
    public static final String LOOP_100MS = "loop-100ms";

    /** The reference loop that stores a batch with one command instead of a pipeline. */
    public static final String LOOP_ONE_ZADD = "loop-one-zadd";

    /** Redisson's delayed queue. */
    public static final String REDISSON = "redisson";

    /** RabbitMQ: a time to live for each message, and a dead-letter exchange. */
    public static final String TTL_DLX = "ttl-dlx";

    /** Spring AMQP's starter: only its start is measured. */
    public static final String SPRING_RABBIT = "spring-rabbit";

    /**
     * The starters of Spring Boot that this library's starter includes, with a connection to Redis that pings once: a
     * limit.
     */
    public static final String PARTS = "parts";

    /** Spring Data Redis' starter, which connects and pings once: only its start is measured. */
    public static final String SPRING_DATA_REDIS = "spring-data-redis";

    /** The bare Redis commands for storing and popping, with pops in batches of 100: a limit. */
    public static final String BARE_REDIS = "bare-redis";

    /**
     * The bare Redis commands, where the two storing commands are sent with one write: a stricter limit for storing.
     */
    public static final String BARE_PIPELINE = "bare-pipeline";

    /** The shortest script that stores tasks by their ids and finds the earliest: a limit. */
    public static final String BARE_SCRIPT = "bare-script";

    /** The RabbitMQ client, which publishes from memory with confirms: a limit. */
    public static final String BARE_CONFIRMS = "bare-confirms";

    /**
     * The RabbitMQ client with mandatory messages that have an id and headers: the limit for the messages of this
     * library.
     */
    public static final String BARE_CONFIRMS_TOLD = "bare-confirms-told";

    /** A consumer of a broker's queue that runs the bare Redis commands and acknowledges: a limit for intakes. */
    public static final String BARE_INTAKE = "bare-intake";

    /** A JVM timer, without Redis: a limit. */
    public static final String BARE_TIMER = "bare-timer";

    /** A JVM timer with tasks in Redis, and one script call for each at its due time: a limit. */
    public static final String BARE_TIMER_SCRIPT = "bare-timer-script";

    /** Rqueue with its defaults. */
    public static final String RQUEUE = "rqueue";

    /** Rqueue with higher values for the settings that limit its rate. */
    public static final String RQUEUE_TUNED = "rqueue-tuned";

    /** Only the user's insert in a transaction: a limit for scheduling in transactions. */
    public static final String PLAIN_INSERTS = "plain-inserts";

    /**
     * The user's insert and one more into a table that is never read: a limit for libraries that store a row with the
     * order.
     */
    public static final String TWO_INSERTS = "two-inserts";

    /** BullMQ, in a process of Node. */
    public static final String BULLMQ = "bullmq";

    /**
     * db-scheduler, which stores its tasks in the database; in workloads with transactions, it schedules in the user's
     * transaction.
     */
    public static final String DB_SCHEDULER = "db-scheduler";

    /** Namastack Outbox with its defaults, whose handler schedules with this library. */
    public static final String NAMASTACK = "namastack";

    private Subjects() {}

    /** Returns whether the subject needs the class path of Rqueue and its Spring generation. */
    public static boolean isRqueue(String name) {
        return name.equals(RQUEUE) || name.equals(RQUEUE_TUNED);
    }

    /** Returns whether the subject needs the class path of meters and tracers. */
    public static boolean isMeasured(String name) {
        return name.equals(METRICS) || name.equals(TRACED) || name.equals(OBSERVED);
    }

    public static Subject open(String name, Place place, Need need) {
        return switch (name) {
            case DELAYQUEUE -> new DelayqueueSubject(place, need);
            case PLAIN, METRICS, TRACED, HISTORY, OBSERVED ->
                DelayqueueSubject.with(place, need, Observing.properties(name));
            case KEYED, KEY_RATE, KEY_CONCURRENCY, KEY_BOTH -> Limited.subject(name, place, need);
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
