// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.run;

import io.delayqueue.benchmarks.profile.Profile;
import io.delayqueue.benchmarks.result.Outcome;
import io.delayqueue.benchmarks.result.Run;
import io.delayqueue.benchmarks.server.Place;
import io.delayqueue.benchmarks.subject.Subjects;
import io.delayqueue.benchmarks.workload.Setting;
import io.delayqueue.test.server.RabbitServer;
import io.delayqueue.test.server.RedisServer;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Carries out a plan: round after round, the subjects take turns, each on a fresh Redis and in a fresh JVM. */
public final class Sitting {

    private final boolean quick;
    private final boolean profile;
    private final Path folder;

    /**
     * @param profile whether to record where this library's time and memory go
     * @param folder for what the runs leave
     */
    public Sitting(boolean quick, boolean profile, Path folder) {
        this.quick = quick;
        this.profile = profile;
        this.folder = folder;
    }

    List<Run> run(Plan plan) throws InterruptedException {
        if (!plan.broker()) {
            return run(plan, null);
        }
        try (RabbitServer rabbit = RabbitServer.available().start()) {
            return run(plan, rabbit.uri());
        }
    }

    private List<Run> run(Plan plan, @Nullable URI rabbit) throws InterruptedException {
        List<Run> runs = new ArrayList<>();
        for (int round = 1; round <= plan.rounds(); round++) {
            for (String persistence : plan.persistences()) {
                List<Turn> turns = new ArrayList<>();
                for (String subject : plan.subjects()) {
                    turns.add(new Turn(plan.workload(), subject, persistence, round, rabbit));
                    if (!plan.together()) {
                        finish(turns, runs);
                    }
                }
                finish(turns, runs);
            }
        }
        return runs;
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
        private final String persistence;
        private final int round;
        private final boolean recorded;
        private final RedisServer redis;
        private final ChildProcess child;

        Turn(String workload, String subject, String persistence, int round, @Nullable URI rabbit) {
            this.persistence = persistence;
            this.round = round;
            this.recorded = profile && subject.equals(Subjects.DELAYQUEUE);
            this.redis = RedisServer.installed()
                    .config(persistence.equals(Run.NONE) ? "appendonly no" : "appendfsync " + persistence)
                    .start();
            this.setting = new Setting(workload, subject, quick, new Place(redis.uri(), false, rabbit));
            Path own = folder.resolve(workload + "-" + subject + "-" + persistence + "-" + round);
            this.child = new ChildProcess(setting, own, recorded);
        }

        Run await() throws InterruptedException {
            Outcome outcome = child.await(quick ? Duration.ofMinutes(3) : Duration.ofMinutes(60));
            Run run = new Run(setting.workload(), setting.subject(), persistence, round, at, load, outcome);
            StringBuilder line = new StringBuilder(String.format(
                    Locale.ROOT,
                    "%s %s (AOF %s), round %d, %d s:",
                    run.workload(),
                    run.subject(),
                    persistence,
                    round,
                    Duration.between(at, Instant.now()).toSeconds()));
            outcome.metrics()
                    .forEach((name, value) -> line.append(String.format(Locale.ROOT, " %s %,.2f;", name, value)));
            outcome.problems().forEach(problem -> line.append(" PROBLEM ").append(problem));
            System.out.println(line);
            if (recorded) {
                Profile.print(child.recording(), outcome);
            }
            return run;
        }

        @Override
        public void close() {
            child.close();
            redis.close();
        }
    }
}
