// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.test.server.RedisServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A run that is killed takes with it what it has started. */
class KilledRunIntegrationTests {

    @Test
    void killOfARunEndsItsApplicationsAndServersAlsoWhileTheyAreFrozen() throws IOException {
        Process run = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        Run.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader output = run.inputReader()) {
            List<ProcessHandle> started = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                started.add(ProcessHandle.of(Long.parseLong(output.readLine())).orElseThrow());
            }
            assertThat(started).allMatch(ProcessHandle::isAlive);

            run.destroyForcibly();

            await().atMost(Duration.ofSeconds(10))
                    .untilAsserted(() -> assertThat(started).noneMatch(ProcessHandle::isAlive));
        } finally {
            run.destroyForcibly();
        }
    }

    /** Prints the ids of a working application, of a frozen one, and of a server, and runs until it is killed. */
    static final class Run {

        public static void main(String[] arguments) throws InterruptedException {
            ApplicationProcess working = ApplicationProcess.start(Idle.class, List.of());
            ApplicationProcess frozen = ApplicationProcess.start(Idle.class, List.of());
            frozen.signal("STOP");
            RedisServer redis = RedisServer.embedded().start();
            System.out.println(working.pid());
            System.out.println(frozen.pid());
            System.out.println(redis.pid());
            TimeUnit.MINUTES.sleep(10);
        }
    }

    static final class Idle {

        public static void main(String[] arguments) throws InterruptedException {
            TimeUnit.MINUTES.sleep(10);
        }
    }
}
