// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.run;

import io.delayqueue.benchmarks.result.Outcome;
import io.delayqueue.benchmarks.server.Place;
import io.delayqueue.benchmarks.server.RedisGauge;
import io.delayqueue.benchmarks.workload.Recorder;
import io.delayqueue.benchmarks.workload.Setting;
import io.delayqueue.benchmarks.workload.Workloads;
import io.delayqueue.test.server.TestDatabase;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * One run in a separate JVM. The arguments define the run, and the outcome goes to a file. An exception is reported as
 * a problem of the run, together with the measurements so far. The JVM then ends, even if threads still run.
 */
public final class Child {

    private static final int FAILED = 4;
    private static final Duration END_LIMIT = Duration.ofSeconds(30);

    private Child() {}

    /**
     * Arguments: workload, subject, quick, URI of Redis, whether it is a cluster, URI of RabbitMQ or -, process id of
     * RabbitMQ or 0, and the file for the outcome; with a database also its URL, user and password.
     */
    public static void main(String[] arguments) {
        URI rabbit = arguments[5].equals("-") ? null : URI.create(arguments[5]);
        Setting setting = new Setting(
                arguments[0],
                arguments[1],
                Boolean.parseBoolean(arguments[2]),
                new Place(
                        URI.create(arguments[3]),
                        Boolean.parseBoolean(arguments[4]),
                        rabbit,
                        Long.parseLong(arguments[6]),
                        database(arguments)));
        end(run(setting, Path.of(arguments[7])) ? 0 : FAILED);
    }

    /** Ends the JVM normally, within a time limit, so that recordings are written and processes end. */
    private static void end(int status) {
        Thread watchdog = new Thread(() -> {
            try {
                Thread.sleep(END_LIMIT.toMillis());
            } catch (InterruptedException ex) {
                Thread.currentThread().interrupt();
            }
            Runtime.getRuntime().halt(status);
        });
        watchdog.setDaemon(true);
        watchdog.start();
        System.exit(status);
    }

    private static boolean run(Setting setting, Path file) {
        boolean done = false;
        try (RedisGauge redis = new RedisGauge(setting.place())) {
            Recorder recorder = new Recorder(redis);
            Outcome outcome;
            try {
                Workloads.named(setting.workload()).run(setting, recorder);
                outcome = recorder.outcome();
                done = true;
            } catch (Throwable ex) {
                ex.printStackTrace();
                outcome = recorder.outcome().with("it ended early: " + ex);
            }
            new JsonMapper().writeValue(file, outcome);
        }
        return done;
    }

    private static @Nullable TestDatabase database(String[] arguments) {
        return arguments.length < 9 ? null : new TestDatabase(arguments[8], arguments[9], arguments[10]);
    }
}
