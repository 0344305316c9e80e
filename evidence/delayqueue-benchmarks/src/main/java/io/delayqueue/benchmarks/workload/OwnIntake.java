// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.workload;

import io.delayqueue.benchmarks.server.Place;
import io.delayqueue.benchmarks.subject.DelayqueueSubject;
import io.delayqueue.benchmarks.subject.Need;
import io.delayqueue.test.server.ProcessGuard;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;

/** An application with an intake, which also publishes due messages. */
final class OwnIntake implements Consumption {

    /** The exchange of the producers. */
    static final String EXCHANGE = "bench";

    /** Commands to another process. It answers each command, and its own start, with {@link #DONE}. */
    static final char START = '+';

    static final char STOP = '-';
    static final String DONE = "DONE";

    private final DelayqueueSubject application;

    OwnIntake(Place place) {
        this.application = DelayqueueSubject.with(
                place,
                Need.toKeep(),
                Map.of(
                        "spring.rabbitmq.addresses",
                        place.broker().toString(),
                        "delayqueue.rabbit.intake." + EXCHANGE + ".exchange-type",
                        "direct"));
    }

    /** Starts a process with the same intake. It ends when its input ends. */
    static Process another(Place place) {
        try {
            return ProcessGuard.start(new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-Xmx512m",
                            "-cp",
                            System.getProperty("java.class.path"),
                            OwnIntake.class.getName(),
                            place.redis().toString(),
                            place.broker().toString())
                    .redirectError(ProcessBuilder.Redirect.INHERIT));
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    /** Arguments: URIs of Redis and RabbitMQ. */
    public static void main(String[] arguments) throws IOException {
        try (OwnIntake intake =
                new OwnIntake(new Place(URI.create(arguments[0]), false, URI.create(arguments[1]), 0))) {
            System.out.println(DONE);
            for (int letter = System.in.read(); letter >= 0; letter = System.in.read()) {
                if (letter == START) {
                    intake.start();
                } else {
                    intake.stop();
                }
                System.out.println(DONE);
            }
        }
        System.exit(0);
    }

    @Override
    public String index() {
        return "dq:{intake:0}:index";
    }

    @Override
    public void start() {
        application.runIntakes(true);
    }

    @Override
    public void stop() {
        application.runIntakes(false);
    }

    @Override
    public void close() {
        application.close();
    }
}
