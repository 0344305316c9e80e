// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.run;

import io.delayqueue.benchmarks.profile.Profile;
import io.delayqueue.benchmarks.result.Outcome;
import io.delayqueue.benchmarks.result.Run;
import io.delayqueue.benchmarks.server.Place;
import io.delayqueue.benchmarks.subject.Subjects;
import io.delayqueue.benchmarks.workload.Setting;
import io.delayqueue.test.server.RabbitServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Carries out rounds of a plan: the subjects take turns, each on a fresh Redis and in a fresh JVM. */
final class Sitting {

    private final boolean quick;
    private final boolean profile;
    private final Path folder;
    private final String library;

    /**
     * @param profile whether to record where this library's time and memory go
     * @param folder for what the runs leave
     * @param library what is measured, as the runs say
     */
    Sitting(boolean quick, boolean profile, Path folder, String library) {
        this.quick = quick;
        this.profile = profile;
        this.folder = folder;
        this.library = library;
    }

    /** These rounds, on one broker if the plan takes one. */
    List<Run> run(Plan plan, int firstRound, int lastRound) throws InterruptedException {
        if (!plan.broker()) {
            return run(plan, firstRound, lastRound, null);
        }
        try (RabbitServer rabbit = RabbitServer.available().start()) {
            return run(plan, firstRound, lastRound, rabbit);
        }
    }

    private List<Run> run(Plan plan, int firstRound, int lastRound, @Nullable RabbitServer rabbit)
            throws InterruptedException {
        List<Run> runs = new ArrayList<>();
        for (int round = firstRound; round <= lastRound; round++) {
            for (String variant : plan.variants()) {
                List<Turn> turns = new ArrayList<>();
                List<String> subjects = plan.subjectsOf(variant);
                Path file = turnsFile(plan.workload(), variant, round);
                for (String subject : subjects) {
                    turns.add(new Turn(plan.workload(), subject, variant, round, rabbit, file, subjects.size()));
                    if (!plan.together()) {
                        finish(turns, runs);
                    }
                }
                finish(turns, runs);
            }
        }
        return runs;
    }

    /** Which is not there yet. */
    private Path turnsFile(String workload, String variant, int round) {
        Path file = folder.resolve(workload + "-" + variant + "-" + round + ".turns");
        try {
            Files.deleteIfExists(file);
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
        return file;
    }

    private static void finish(List<Turn> turns, List<Run> runs) throws InterruptedException {
        try {
            for (Turn turn : turns) {
                runs.add(turn.await());
            }
        } finally {
            turns.forEach(Turn::close);
            turns.clear();
        }
    }

    /** One subject's turn. */
    private final class Turn implements AutoCloseable {

        private final Instant at = Instant.now();
        private final double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        private final Setting setting;
        private final String variant;
        private final int round;
        private final boolean recorded;
        private final RedisPlace redis;
        private final @Nullable DatabasePlace database;
        private final ChildProcess child;

        Turn(
                String workload,
                String subject,
                String variant,
                int round,
                @Nullable RabbitServer rabbit,
                Path turns,
                int number) {
            this.variant = variant;
            this.round = round;
            this.recorded = profile && subject.startsWith(Subjects.DELAYQUEUE);
            this.redis = new RedisPlace(variant);
            this.database = DatabasePlace.of(variant, subject);
            Place place = redis.with(rabbit);
            this.setting =
                    new Setting(workload, subject, quick, database == null ? place : place.with(database.orders()));
            Path own = folder.resolve(workload + "-" + subject + "-" + variant + "-" + round);
            this.child = new ChildProcess(setting, own, recorded, turns, number);
        }

        Run await() throws InterruptedException {
            boolean isShort = quick && Plan.QUICK.contains(setting.workload());
            Outcome outcome = child.await(Duration.ofMinutes(isShort ? 3 : 60));
            Run run = new Run(setting.workload(), setting.subject(), variant, round, library, at, load, outcome);
            System.out.println(line(run));
            if (recorded && outcome.to() > 0) {
                Profile.print(child.recording(), outcome);
            }
            return run;
        }

        private String line(Run run) {
            StringBuilder line = new StringBuilder(String.format(
                    Locale.ROOT,
                    "%s %s%s, round %d, %d s:",
                    run.workload(),
                    run.subject(),
                    Run.suffix(variant),
                    round,
                    Duration.between(at, Instant.now()).toSeconds()));
            run.outcome()
                    .metrics()
                    .forEach((name, value) -> line.append(String.format(Locale.ROOT, " %s %,.2f;", name, value)));
            run.outcome().problems().forEach(problem -> line.append(" PROBLEM ").append(problem));
            return line.toString();
        }

        @Override
        public void close() {
            child.close();
            redis.close();
            if (database != null) {
                database.close();
            }
        }
    }
}
