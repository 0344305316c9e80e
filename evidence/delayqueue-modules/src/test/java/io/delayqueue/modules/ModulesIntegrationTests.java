// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.modules;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.test.server.RedisServer;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Starts an application without each optional dependency, and without each pair of them, and has it deliver a task.
 * Each application is a separate JVM, and those jars are missing from its class path.
 */
@Tag("long")
class ModulesIntegrationTests {

    private static final int APPLICATIONS = 6;

    private static RedisServer redis;

    /** An optional dependency, by the names of its jars and of modules of this project. */
    enum Part {
        DELAYQUEUE_RABBIT("delayqueue-rabbit"),
        RABBITMQ("delayqueue-rabbit", "spring-rabbit", "spring-amqp", "amqp-client", "spring-boot-amqp"),
        METRICS("micrometer-core", "micrometer-jakarta9", "spring-boot-micrometer-metrics"),
        TRACING("micrometer-tracing", "spring-boot-micrometer-tracing", "context-propagation"),
        OPENTELEMETRY("opentelemetry", "micrometer-tracing-bridge-otel", "spring-boot-opentelemetry"),
        ACTUATOR("spring-boot-actuator", "spring-boot-health"),
        SECURITY("spring-security", "spring-boot-security"),
        VALIDATION("hibernate-validator", "jakarta.validation", "spring-boot-validation"),
        KOTLIN("kotlin", "kotlinx"),
        DELAYQUEUE_JDBC("delayqueue-jdbc"),
        JDBC("delayqueue-jdbc", "spring-jdbc", "spring-boot-jdbc", "h2-", "HikariCP"),
        CONSOLE("delayqueue-console"),
        CONTROL("delayqueue-console", "delayqueue-control"),
        /** With the libraries that require it. */
        SPRING_TX(
                "spring-tx",
                "delayqueue-jdbc",
                "spring-jdbc",
                "spring-boot-jdbc",
                "delayqueue-rabbit",
                "spring-rabbit",
                "spring-data",
                "spring-boot-data"),
        SPRING_DATA("spring-data", "spring-boot-data"),
        SPRING_BOOT_DATA_REDIS("spring-boot-data-redis"),
        JACKSON("spring-boot-jackson"),
        WEB("spring-webmvc", "spring-boot-webmvc", "spring-boot-tomcat", "tomcat-embed-core", "spring-boot-servlet");

        private final Pattern names;

        Part(String... names) {
            this.names = Pattern.compile(Stream.of(names)
                    .map(Pattern::quote)
                    .reduce((a, b) -> a + "|" + b)
                    .orElseThrow());
        }

        boolean has(Path entry) {
            // target/classes of a module of this build, or a jar
            Path file = entry.endsWith(Path.of("target", "classes")) ? entry.getName(entry.getNameCount() - 3) : entry;
            return names.matcher(file.getFileName().toString()).lookingAt();
        }
    }

    @BeforeAll
    static void startServer() {
        redis = RedisServer.embedded().start();
    }

    @AfterAll
    static void stopServer() {
        redis.close();
    }

    /**
     * Returns what six applications lack. Each part is missing in another three of them. So for any two parts, an
     * application lacks the first and has the second.
     */
    static Stream<Set<Part>> sixApplications() {
        int[] threeOfSix = IntStream.range(0, 1 << APPLICATIONS)
                .filter(bits -> Integer.bitCount(bits) == APPLICATIONS / 2)
                .toArray();
        return IntStream.range(0, APPLICATIONS)
                .mapToObj(application -> Stream.of(Part.values())
                        .filter(part -> (threeOfSix[part.ordinal()] >> application & 1) == 1)
                        .collect(Collectors.toCollection(() -> EnumSet.noneOf(Part.class))));
    }

    @ParameterizedTest
    @MethodSource("sixApplications")
    void applicationWithoutHalfOfThePartsStartsAndDelivers(Set<Part> parts) throws Exception {
        assertRunsWithout(parts);
    }

    @Test
    void applicationWithoutAnyPartStartsAndDelivers() throws Exception {
        assertRunsWithout(EnumSet.allOf(Part.class));
    }

    @ParameterizedTest
    @EnumSource
    void applicationWithoutAPartStartsAndDelivers(Part part) throws Exception {
        assertRunsWithout(EnumSet.of(part));
    }

    /** Returns all pairs, except if one part contains the other. */
    static Stream<Set<Part>> pairs() {
        return Stream.of(Part.values())
                .flatMap(one -> Stream.of(Part.values())
                        .filter(other -> one.compareTo(other) < 0)
                        .map(other -> EnumSet.of(one, other)))
                .filter(pair ->
                        pair.stream().noneMatch(part -> left(EnumSet.of(part)).equals(left(pair))))
                .map(pair -> (Set<Part>) pair);
    }

    private static List<Path> left(Set<Part> parts) {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(Path::of)
                .filter(path -> parts.stream().noneMatch(part -> part.has(path)))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void applicationWithoutAPairOfPartsStartsAndDelivers(Set<Part> pair) throws Exception {
        assertRunsWithout(pair);
    }

    private static void assertRunsWithout(Set<Part> parts) throws Exception {
        List<Path> all = left(EnumSet.noneOf(Part.class));
        for (Part part : parts) {
            assertThat(all).as("jars of %s", part).anyMatch(part::has);
        }
        String classPath = left(parts).stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
        Process application = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        classPath,
                        SmallApplication.class.getName(),
                        redis.uri().toString(),
                        "modules-" + UUID.randomUUID())
                .redirectErrorStream(true)
                .start();
        CompletableFuture<Boolean> inTime =
                application.onExit().thenApply(process -> true).completeOnTimeout(false, 3, TimeUnit.MINUTES);
        inTime.thenAccept(ended -> application.destroyForcibly());
        String output = new String(application.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(inTime.join()).as("without %s: %s", parts, output).isTrue();
        assertThat(application.exitValue()).as("without %s: %s", parts, output).isZero();
    }
}
