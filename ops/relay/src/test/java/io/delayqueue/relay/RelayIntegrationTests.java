// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.delayqueue.test.junit.DelayQueueServers;
import io.delayqueue.test.server.RabbitServer;
import io.delayqueue.test.server.RedisServer;
import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Starts relays as processes, with programs that were written for the archived plugin. */
@DelayQueueServers(rabbit = DelayQueueServers.Rabbit.REAL)
class RelayIntegrationTests {

    private static final Duration PATIENCE = Duration.ofSeconds(90);
    static final String PASSWORD = "a password";

    @TempDir
    private Path folder;

    private final RedisServer redis;
    private final RabbitServer rabbit;
    private final List<Process> processes = new ArrayList<>();

    RelayIntegrationTests(RedisServer redis, RabbitServer rabbit) {
        this.redis = redis;
        this.rabbit = rabbit;
    }

    @AfterEach
    void endProcesses() throws InterruptedException {
        for (Process process : processes) {
            process.destroyForcibly().waitFor();
        }
    }

    @Test
    void programsForThePluginAreServedByTwoRelaysEvenWhenOneIsKilled() throws Exception {
        Map<String, String> settings = Map.of(
                "RELAY_EXCHANGES",
                "shop=direct, Java.Mails=topic",
                "RELAY_PASSWORD",
                PASSWORD,
                "DELAYQUEUE_REDIS_URL",
                redis.uri().toString(),
                "SPRING_RABBITMQ_ADDRESSES",
                rabbit.uri().toString());
        int one = startAndAwait(settings);
        startAndAwait(settings);

        assertThat(status(one, "/actuator/prometheus", false)).isEqualTo(401);
        assertThat(status(one, "/actuator/prometheus", true)).isEqualTo(200);
        assertThat(status(one, "/delayqueue/", false)).isEqualTo(302);
        assertThat(outputOf(python(), "src/test/resources/plugin.py")).isEqualTo("at once 0\nfirst 500\nsecond 2000\n");

        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(rabbit.uri());
        try (Connection connection = factory.newConnection();
                Channel channel = connection.createChannel()) {
            channel.exchangeDeclarePassive("Java.Mails");
            channel.queueDeclare("java", true, false, false, null);
            channel.queueBind("java", "Java.Mails.due", "mail.#");
            Set<String> received = ConcurrentHashMap.newKeySet();
            channel.basicConsume(
                    "java",
                    true,
                    (tag, message) -> received.add(new String(message.getBody(), StandardCharsets.UTF_8)),
                    tag -> {});
            channel.confirmSelect();
            for (int i = 0; i < 200; i++) {
                channel.basicPublish(
                        "Java.Mails", "mail.order", delayed(3_000), ("m" + i).getBytes(StandardCharsets.UTF_8));
                if (i == 100) {
                    channel.waitForConfirmsOrDie(20_000);
                    processes.get(0).destroyForcibly();
                }
            }
            channel.waitForConfirmsOrDie(20_000);
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(received)
                            .containsExactlyInAnyOrderElementsOf(IntStream.range(0, 200)
                                    .mapToObj(i -> "m" + i)
                                    .collect(Collectors.toSet())));
        }
    }

    @Test
    void relayWithoutExchangesOrPasswordSaysWhatToSet() throws Exception {
        assertThat(outputOfAFailedStart(Map.of("RELAY_PASSWORD", PASSWORD)))
                .contains("RELAY_EXCHANGES", "'shop=topic,mails=direct'")
                .doesNotContain("\tat ");
        assertThat(outputOfAFailedStart(Map.of("RELAY_EXCHANGES", "shop=topic")))
                .contains("RELAY_PASSWORD", "Set it");
    }

    static AMQP.BasicProperties delayed(int millis) {
        return new AMQP.BasicProperties.Builder()
                .deliveryMode(2)
                .headers(Map.of("x-delay", millis))
                .build();
    }

    private String outputOfAFailedStart(Map<String, String> settings) throws Exception {
        File log = Files.createTempFile(folder, "relay", ".log").toFile();
        Process process = start(settings, freePort(), log);
        assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(1);
        return Files.readString(log.toPath());
    }

    private int startAndAwait(Map<String, String> settings) throws IOException {
        int port = freePort();
        File log = Files.createTempFile(folder, "relay", ".log").toFile();
        Process process = start(settings, port, log);
        await().atMost(PATIENCE).ignoreExceptions().until(() -> {
            assertThat(process.isAlive()).as(() -> text(log)).isTrue();
            return status(port, "/actuator/health", false) == 200;
        });
        return port;
    }

    private Process start(Map<String, String> settings, int port, File log) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                RelayApplication.class.getName(),
                "--server.address=127.0.0.1",
                "--server.port=" + port);
        builder.environment().putAll(settings);
        Process process = builder.redirectErrorStream(true).redirectOutput(log).start();
        processes.add(process);
        return process;
    }

    static String text(File file) {
        try {
            return Files.readString(file.toPath());
        } catch (IOException ex) {
            return ex.toString();
        }
    }

    static int status(int port, String path, boolean signedIn) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(Duration.ofSeconds(10))
                .header("Accept", "text/html, text/plain, application/json");
        if (signedIn) {
            String user = Base64.getEncoder().encodeToString(("operator:" + PASSWORD).getBytes(StandardCharsets.UTF_8));
            request.header("Authorization", "Basic " + user);
        }
        return HttpClient.newHttpClient()
                .send(request.build(), HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static String python() {
        return Stream.of("/usr/bin/python3", "python3")
                .filter(each -> succeeds(each, "-c", "import pika"))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("No Python with pika (Debian: python3-pika)"));
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

    private String outputOf(String... command) throws Exception {
        File output = Files.createTempFile(folder, "program", ".txt").toFile();
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("AMQP_URL", rabbit.uri() + "/%2F");
        Process process =
                builder.redirectErrorStream(true).redirectOutput(output).start();
        processes.add(process);
        assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        return Files.readString(output.toPath());
    }
}
