// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.benchmarks.result.Outcome;
import io.delayqueue.benchmarks.result.Run;
import io.delayqueue.benchmarks.server.Place;
import io.delayqueue.benchmarks.workload.Setting;
import io.delayqueue.test.server.RedisServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChildProcessIntegrationTests {

    @TempDir
    private Path folder;

    @Test
    void outcomeWhenTheWorkloadThrowsHasThatAsAProblemAndTheProcessHasFailed() throws Exception {
        Files.writeString(folder.resolve("outcome.json"), "of an earlier run");
        try (RedisServer redis = RedisServer.installed().start();
                ChildProcess child = child(redis, "W0")) {
            await().atMost(Duration.ofMinutes(1)).until(() -> !child.isRunning());

            assertThat(child.hasFailed()).isTrue();
            Outcome outcome = child.outcome();
            assertThat(outcome.metrics()).isEmpty();
            assertThat(outcome.problems()).singleElement().asString().contains("it ended early", "W0");
        }
    }

    @Test
    void outcomeWhenItStillRunsEndsItAndDoesNotCount() throws Exception {
        try (RedisServer redis = RedisServer.installed().start();
                ChildProcess child = child(redis, "W4")) {
            assertThat(child.hasFailed()).isFalse();

            assertThat(child.outcome().problems()).singleElement().asString().contains("broken off");
            assertThat(child.isRunning()).isFalse();
        }
    }

    private ChildProcess child(RedisServer redis, String workload) {
        Place place = new Place(redis.uri(), false, null, 0);
        TurnOrder order = new TurnOrder(workload, "loop", Run.NONE, false, true, folder, folder.resolve("turns"), 1);
        return new ChildProcess(new Setting(workload, "loop", true, place), order);
    }
}
