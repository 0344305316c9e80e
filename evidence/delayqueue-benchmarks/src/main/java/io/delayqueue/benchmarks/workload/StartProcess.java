// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.workload;

import io.delayqueue.benchmarks.server.Place;
import io.delayqueue.test.server.ProcessGuard;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * One start of an application.
 *
 * @param millis time from the start of the JVM until the application had started
 * @param cpuMillis processor time of all its threads until then
 * @param lateMillis lateness of its first task; 0 for an application without a task
 */
record StartProcess(long millis, long cpuMillis, long lateMillis) {

    /** The system property with the class path of all starters. */
    private static final String CLASS_PATH = "benchmark.starters";

    private static final Duration LIMIT = Duration.ofMinutes(2);

    /** Starts the application and waits until it ends. */
    static StartProcess start(Starter starter, Place place) throws InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-cp",
                starter.classPath(System.getProperty(CLASS_PATH)),
                StartedApplication.class.getName(),
                starter.application()));
        command.addAll(arguments(place));
        try {
            Process process = ProcessGuard.start(new ProcessBuilder(command).redirectErrorStream(true));
            Deadline deadline = new Deadline(process, LIMIT);
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            process.waitFor();
            deadline.lift();
            String[] said = output.lines()
                    .filter(line -> line.startsWith(StartedApplication.SAID))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException(
                            starter + " did not start within " + LIMIT.toSeconds() + " s: " + output))
                    .substring(StartedApplication.SAID.length())
                    .split(" ");
            System.out.println(starter + " started after " + said[0] + " ms, CPU " + said[1] + " ms, first task "
                    + said[2] + " ms late");
            return new StartProcess(Long.parseLong(said[0]), Long.parseLong(said[1]), Long.parseLong(said[2]));
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    /** Returns the arguments that all applications have. */
    static List<String> arguments(Place place) {
        return List.of(
                "--spring.data.redis.url=redis://" + place.redis().getHost() + ":"
                        + place.redis().getPort(),
                "--spring.rabbitmq.addresses=" + place.broker(),
                "--delayqueue.queues." + StartedApplications.QUEUE + ".shards=1",
                "--spring.main.web-application-type=none",
                "--logging.level.root=error");
    }
}
