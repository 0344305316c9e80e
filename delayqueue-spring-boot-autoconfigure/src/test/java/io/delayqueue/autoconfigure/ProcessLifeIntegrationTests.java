// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.annotation.DelayQueueListener;
import io.delayqueue.test.server.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** How long the process of an application lives that has nothing but delay queues. */
class ProcessLifeIntegrationTests {

    @TempDir
    private Path folder;

    @Test
    void processWithATriggerLivesUntilItsContextIsClosed() throws Exception {
        assertThat(outputOf("trigger.auto-startup=true")).contains("scheduled", "handled");
    }

    @Test
    void processWhoseTriggerIsNotStartedEndsByItself() throws Exception {
        assertThat(outputOf("trigger.auto-startup=false")).contains("scheduled").doesNotContain("handled");
    }

    /** Returns the output of a process that has ended. */
    private String outputOf(String setting) throws IOException, InterruptedException {
        Path output = folder.resolve("output");
        try (RedisServer redis = RedisServer.embedded().start()) {
            Process jvm = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:TieredStopAtLevel=1",
                            "-XX:+UseSerialGC",
                            "-cp",
                            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                            HandlerOnly.class.getName(),
                            "--spring.data.redis.url=" + redis.uri(),
                            "--spring.docker.compose.enabled=false",
                            "--delayqueue.queues.orders." + setting)
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            try {
                assertThat(jvm.waitFor(2, TimeUnit.MINUTES))
                        .as("the process ends: %s", Files.readString(output))
                        .isTrue();
            } finally {
                jvm.destroyForcibly();
            }
            return Files.readString(output);
        }
    }

    /** Its main thread ends long before the task is due, and the handler closes the context. */
    static final class HandlerOnly {

        private HandlerOnly() {}

        public static void main(String[] args) {
            new SpringApplicationBuilder(Application.class)
                    .web(WebApplicationType.NONE)
                    .run(args)
                    .getBean(DelayQueueOperations.class)
                    .schedule(requestTo("orders", "order 7", Duration.ofSeconds(3)));
            System.out.println("scheduled");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        SslAutoConfiguration.class,
        DataRedisAutoConfiguration.class,
        JacksonAutoConfiguration.class,
        DelayQueueAutoConfiguration.class
    })
    static class Application {

        @Bean
        Listener listener(ConfigurableApplicationContext context) {
            return new Listener(context);
        }
    }

    record Listener(ConfigurableApplicationContext context) {

        @DelayQueueListener(queue = "orders")
        void timeIsUp(String order) {
            System.out.println("handled");
            context.close();
        }
    }
}
