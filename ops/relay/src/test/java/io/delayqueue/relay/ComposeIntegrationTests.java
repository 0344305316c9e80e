// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.delayqueue.test.junit.DelayQueueServers;
import io.delayqueue.test.server.RabbitServer;
import io.delayqueue.test.server.RedisServer;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;

/**
 * Starts what the compose file and the Dockerfile start, without containers: Redis with the file's command, and the
 * relay with the image's command and the file's environment. The broker is one of the tests, with the file's user.
 */
@DelayQueueServers(rabbit = DelayQueueServers.Rabbit.REAL)
class ComposeIntegrationTests {

    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{(\\w+)(:[^}]*)?}");
    private static final Map<String, String> VARIABLES = Map.of(
            "RELAY_EXCHANGES", "composed=topic",
            "RELAY_PASSWORD", RelayIntegrationTests.PASSWORD,
            "REDIS_PASSWORD", "redis secret",
            "RABBITMQ_PASSWORD", "rabbit/secret");

    @TempDir
    private Path folder;

    private final RabbitServer rabbit;
    private final List<Process> processes = new ArrayList<>();
    private final String compose = Files.readString(Path.of("compose.yml"));
    private final List<String> dockerfile = Files.readAllLines(Path.of("Dockerfile"));
    private final Map<?, ?> services =
            map(map(new Yaml().load(resolved(compose))).get("services"));

    ComposeIntegrationTests(RabbitServer rabbit) throws IOException {
        this.rabbit = rabbit;
    }

    @AfterEach
    void endProcesses() throws InterruptedException {
        for (Process process : processes) {
            process.destroyForcibly().waitFor();
        }
    }

    @Test
    void passwordsHaveNoDefaults() {
        List<MatchResult> passwords = VARIABLE.matcher(compose)
                .results()
                .filter(variable -> variable.group(1).endsWith("PASSWORD"))
                .toList();
        for (String name : List.of("RELAY_PASSWORD", "REDIS_PASSWORD", "RABBITMQ_PASSWORD")) {
            assertThat(passwords)
                    .filteredOn(variable -> variable.group(1).equals(name))
                    .isNotEmpty()
                    .anyMatch(variable -> String.valueOf(variable.group(2)).startsWith(":?"))
                    .noneMatch(variable -> String.valueOf(variable.group(2)).startsWith(":-"));
        }
    }

    @Test
    void dataIsOnVolumesAndTheRelayIsNotRoot() {
        assertThat(services.get("redis").toString()).contains(":/data");
        assertThat(services.get("rabbitmq").toString()).contains(":/var/lib/rabbitmq");
        assertThat(dockerfile).anyMatch(line -> line.matches("USER [1-9][0-9]*"));
    }

    @Test
    void commandsAndEnvironmentOfTheFilesStartARelayThatDelaysMessages() throws Exception {
        int redis = RelayIntegrationTests.freePort();
        startRedis(redis);
        Map<?, ?> broker = map(map(services.get("rabbitmq")).get("environment"));
        String user = broker.get("RABBITMQ_DEFAULT_USER").toString();
        if (!rabbit.ctl("list_users").contains(user)) {
            rabbit.ctl("add_user", user, broker.get("RABBITMQ_DEFAULT_PASS").toString());
        }
        rabbit.ctl("set_permissions", user, ".*", ".*", ".*");
        int port = RelayIntegrationTests.freePort();
        Map<String, String> environment = new HashMap<>(Map.of(
                "SERVER_PORT", "" + port,
                "SERVER_ADDRESS", "127.0.0.1",
                "DELAYQUEUE_REDIS_PORT", "" + redis,
                "SPRING_RABBITMQ_PORT", "" + rabbit.uri().getPort()));
        map(map(services.get("relay")).get("environment")).forEach((name, value) -> {
            boolean isHost = name.toString().endsWith("_HOST");
            assertThat(!isHost || services.containsKey(value))
                    .as("%s is a service", value)
                    .isTrue();
            environment.put(name.toString(), isHost ? "127.0.0.1" : value.toString());
        });
        startRelay(environment, port);

        assertThat(RelayIntegrationTests.status(port, "/actuator/prometheus", true))
                .isEqualTo(200);
        assertDelays();
        assertThat(folder.resolve("redis")).isDirectoryRecursivelyContaining("glob:**.aof");
    }

    private void startRedis(int port) throws IOException {
        List<String> command = new ArrayList<>();
        for (Object word : (List<?>) map(services.get("redis")).get("command")) {
            command.add(word.toString());
        }
        String program = System.getenv(RedisServer.PROGRAM_VARIABLE);
        if (program != null) {
            command.set(0, program);
        }
        Path data = Files.createDirectories(folder.resolve("redis"));
        command.addAll(List.of("--port", "" + port, "--bind", "127.0.0.1", "--dir", data.toString()));
        start(new ProcessBuilder(command), "redis.log");
    }

    private void startRelay(Map<String, String> environment, int port) throws IOException {
        String entryPoint = dockerfile.stream()
                .filter(line -> line.startsWith("ENTRYPOINT "))
                .findFirst()
                .orElseThrow();
        List<String> command = new ArrayList<>();
        for (Object word : (List<?>) new Yaml().load(entryPoint.substring("ENTRYPOINT ".length()))) {
            command.add(word.toString().equals("/relay.jar") ? "target/delayqueue-relay.jar" : word.toString());
        }
        command.set(
                0,
                Path.of(System.getProperty("java.home"), "bin", command.get(0)).toString());
        command.addAll(1, List.of("-Xmx512m", "-XX:TieredStopAtLevel=1"));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(environment);
        File log = folder.resolve("relay.log").toFile();
        start(builder, log.getName());
        await().atMost(PATIENCE)
                .ignoreExceptions()
                .untilAsserted(() -> assertThat(RelayIntegrationTests.status(port, "/actuator/health", false))
                        .as(() -> RelayIntegrationTests.text(log))
                        .isEqualTo(200));
    }

    private Process start(ProcessBuilder builder, String log) throws IOException {
        Process process = builder.redirectErrorStream(true)
                .redirectOutput(folder.resolve(log).toFile())
                .start();
        processes.add(process);
        return process;
    }

    private void assertDelays() throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(rabbit.uri());
        try (Connection connection = factory.newConnection();
                Channel channel = connection.createChannel()) {
            channel.queueDeclare("composed", true, false, false, Map.of());
            channel.queueBind("composed", "composed.due", "key");
            byte[] body = "delayed".getBytes(StandardCharsets.UTF_8);
            channel.basicPublish("composed", "key", RelayIntegrationTests.delayed(500), body);
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(channel.basicGet("composed", true))
                            .isNotNull()
                            .satisfies(message -> assertThat(message.getBody()).isEqualTo(body)));
        }
    }

    private static String resolved(String text) {
        return VARIABLE.matcher(text)
                .replaceAll(variable -> Matcher.quoteReplacement(VARIABLES.get(variable.group(1))));
    }

    private static Map<?, ?> map(Object yaml) {
        return (Map<?, ?>) yaml;
    }
}
