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
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** One run, in a JVM of its own: the arguments say which, and the outcome goes to a file. */
public final class Child {

    private Child() {}

    /**
     * Workload, subject, quick, URI of Redis, whether that is a cluster, URI of RabbitMQ or -, its process or 0, file
     * for the outcome; then, where there is one,
     * URL, user and password of the database.
     */
    public static void main(String[] arguments) throws InterruptedException {
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
        try (RedisGauge redis = new RedisGauge(setting.place())) {
            Recorder recorder = new Recorder(redis);
            Workloads.named(setting.workload()).run(setting, recorder);
            Outcome outcome = recorder.outcome();
            new JsonMapper().writeValue(Path.of(arguments[7]), outcome);
        }
        System.exit(0);
    }

    private static @Nullable TestDatabase database(String[] arguments) {
        return arguments.length < 9 ? null : new TestDatabase(arguments[8], arguments[9], arguments[10]);
    }
}
