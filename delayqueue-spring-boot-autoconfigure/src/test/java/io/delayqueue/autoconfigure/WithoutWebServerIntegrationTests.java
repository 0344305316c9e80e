// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.annotation.DelayQueueListener;
import io.delayqueue.test.server.RedisServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A process whose main method has returned keeps running for its listener, and ends on SIGTERM. */
class WithoutWebServerIntegrationTests {

    @Test
    void applicationWithAListenerDeliversUntilItIsStopped(@TempDir Path folder) throws Exception {
        Path output = folder.resolve("output");
        try (RedisServer redis = RedisServer.embedded().start()) {
            Process process = new ProcessBuilder(
                            System.getProperty("java.home") + "/bin/java",
                            "-XX:TieredStopAtLevel=1",
                            "-cp",
                            System.getProperty("java.class.path"),
                            Worker.class.getName(),
                            redis.uri().toString())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            try {
                await().atMost(Duration.ofSeconds(120))
                        .until(() ->
                                !process.isAlive() || Files.readString(output).contains(Worker.HANDLED));
                assertThat(output).content().containsSubsequence(Worker.MAIN_RETURNS, Worker.HANDLED);
                assertThat(process.isAlive()).isTrue();
                process.destroy();
                assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
            } finally {
                process.destroyForcibly();
            }
        }
    }

    /** The application. */
    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(DelayQueueAutoConfiguration.class)
    public static class Worker {

        static final String MAIN_RETURNS = "main returns";
        static final String HANDLED = "handled";

        @Bean
        Listener listener() {
            return new Listener();
        }

        public static void main(String[] arguments) {
            SpringApplication application = new SpringApplication(Worker.class);
            application.setWebApplicationType(WebApplicationType.NONE);
            application.setDefaultProperties(Map.of(
                    "delayqueue.redis.url", arguments[0],
                    "delayqueue.queues.orders.shards", "1",
                    "spring.docker.compose.enabled", "false"));
            application
                    .run()
                    .getBean(DelayQueueOperations.class)
                    .schedule(ScheduleRequest.to("orders")
                            .payload("7")
                            .dueIn(Duration.ofSeconds(3))
                            .build());
            System.out.println(MAIN_RETURNS);
        }
    }

    static class Listener {

        @DelayQueueListener(queue = "orders")
        void on(String order) {
            System.out.println(Worker.HANDLED);
        }
    }
}
