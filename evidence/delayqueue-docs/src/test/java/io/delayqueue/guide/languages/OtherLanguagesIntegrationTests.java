// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.guide.languages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.test.junit.DelayQueueServers;
import io.delayqueue.test.server.RabbitServer;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Configuration;

/** Runs the programs in Python and Node of docs/other-languages.md. */
@DelayQueueServers(rabbit = DelayQueueServers.Rabbit.REAL)
@SpringBootTest(
        classes = OtherLanguagesIntegrationTests.Application.class,
        properties = {
            "delayqueue.key-prefix=languages",
            "delayqueue.rabbit.intake.shop.exchange-type=direct",
        })
class OtherLanguagesIntegrationTests {

    private static final Path PROGRAMS = Path.of("src/test/resources/languages");
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Autowired
    private HealthIndicator delayqueueHealthContributor;

    private final RabbitServer rabbit;

    OtherLanguagesIntegrationTests(RabbitServer rabbit) {
        this.rabbit = rabbit;
    }

    @Test
    void pageShowsThePrograms() throws IOException {
        String page = Files.readString(Path.of("../../docs/other-languages.md"));
        assertThat(page).contains(program("orders.py"), program("orders.js"));
    }

    @Test
    void programInPythonDelaysReplacesAndCancels() throws Exception {
        String python = Stream.of("/usr/bin/python3", "python3")
                .filter(each -> succeeds(each, "-c", "import pika"))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("No Python with pika (Debian: python3-pika)"));
        awaitIntake();

        assertThat(outputOf(PROGRAMS, python, "orders.py")).isEqualTo("order 1 after 1 s\norder 3\n");
    }

    /** Fetches the program's client from the network. */
    @Test
    @Tag("long")
    void programInNodeDelaysReplacesAndCancels() throws Exception {
        Path project = Files.createDirectories(Path.of("target", "node"));
        for (String name : List.of("package.json", "package-lock.json", "orders.js")) {
            Files.copy(PROGRAMS.resolve(name), project.resolve(name), StandardCopyOption.REPLACE_EXISTING);
        }
        outputOf(project, "npm", "ci", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund");
        awaitIntake();

        assertThat(outputOf(project, "node", "orders.js")).isEqualTo("order 1 after 1 s\norder 3\n");
    }

    private static String program(String name) throws IOException {
        return Files.readString(PROGRAMS.resolve(name));
    }

    private static boolean succeeds(String... command) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor(20, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException ex) {
            return false;
        } catch (InterruptedException ex) {
            throw new IllegalStateException(ex);
        }
    }

    private void awaitIntake() {
        await().atMost(PATIENCE)
                .until(() -> delayqueueHealthContributor.health().getStatus().equals(Status.UP));
    }

    private String outputOf(Path folder, String... command) throws Exception {
        File output = File.createTempFile("program", ".txt");
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().put("AMQP_URL", rabbit.uri() + "/%2F");
        Process process =
                builder.redirectErrorStream(true).redirectOutput(output).start();
        try {
            assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
            String text = Files.readString(output.toPath(), StandardCharsets.UTF_8);
            assertThat(process.exitValue()).as(text).isZero();
            return text;
        } finally {
            process.destroyForcibly();
            Files.deleteIfExists(output.toPath());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}
}
