// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.guide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.delayqueue.autoconfigure.DelayQueueAutoConfiguration;
import io.delayqueue.autoconfigure.DelayQueueRabbitAutoConfiguration;
import io.delayqueue.guide.GuideBook.Block;
import io.delayqueue.test.server.RabbitServer;
import io.delayqueue.test.server.RedisServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/**
 * Types the commands of the page about RabbitMQ's plugin on a running system. An ordinary exchange, which delivers at
 * once, takes the place of the plugin's exchange, because this machine does not have the plugin.
 */
class SwitchOverIntegrationTests {

    /** The page whose commands are run here. */
    static final String PAGE = "from-rabbitmq-delayed-exchange.md";

    private static final Duration PATIENCE = Duration.ofSeconds(40);
    private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");
    private static final String QUEUE = "orders.expired";
    private static final String KEY = "order.expired";

    @TempDir
    private Path folder;

    private final List<String> commands = GuideBook.blocks(PAGE, "shell").stream()
            .flatMap(block -> block.commands().stream())
            .map(String::strip)
            .toList();
    private final int adminPort = freePort();

    @Test
    void switchOfARunningSystemLosesNothing() throws Exception {
        try (RedisServer redis = RedisServer.embedded().start();
                RabbitServer rabbit = RabbitServer.installed()
                        .plugin("rabbitmq_management")
                        .config("management.tcp.ip = 127.0.0.1")
                        .config("management.tcp.port = " + adminPort)
                        .start();
                Connection connection = connection(rabbit);
                Channel channel = connection.createChannel()) {
            channel.exchangeDeclare("shop", "topic", true);
            channel.queueDeclare(QUEUE, true, false, false, Map.of());
            channel.queueBind(QUEUE, "shop", KEY);
            List<String> received = new CopyOnWriteArrayList<>();
            channel.basicConsume(
                    QUEUE,
                    true,
                    (tag, message) -> received.add(new String(message.getBody(), StandardCharsets.UTF_8)),
                    tag -> {});
            new ApplicationContextRunner()
                    .withConfiguration(AutoConfigurations.of(
                            JacksonAutoConfiguration.class,
                            RabbitAutoConfiguration.class,
                            DelayQueueAutoConfiguration.class,
                            DelayQueueRabbitAutoConfiguration.class))
                    .withPropertyValues(
                            "delayqueue.redis.url=" + redis.uri(),
                            "spring.rabbitmq.addresses=" + rabbit.uri(),
                            "delayqueue.rabbit.intake[delayed.shop].exchange-type=topic")
                    .run(context -> {
                        assertThat(context).hasNotFailed();
                        switchOver(rabbit, channel, received);
                    });
        }
    }

    private void switchOver(RabbitServer rabbit, Channel channel, List<String> received) throws Exception {
        assertThat(commands).hasSize(5);
        assertThat(output(rabbit, commands.get(0))).containsPattern("shop\\ttopic");
        assertThat(output(rabbit, commands.get(1))).containsPattern("shop\\t" + QUEUE + "\\t" + KEY);
        await().atMost(PATIENCE)
                .until(() -> output(rabbit, commands.get(1)).contains("delayed.shop\tdelayed.shop.intake"));

        Block definitions = GuideBook.blocks(PAGE, "json").get(0);
        Files.writeString(folder.resolve("definitions.json"), definitions.text());
        output(rabbit, commands.get(2));
        assertThat(output(rabbit, commands.get(1))).containsPattern("delayed\\.shop\\.due\\t" + QUEUE + "\\t" + KEY);

        List<String> sent = new ArrayList<>();
        channel.confirmSelect();
        for (int i = 0; i < 100; i++) {
            publish(channel, i % 2 == 0 ? "shop" : "delayed.shop", 2_000, "m" + i);
            sent.add("m" + i);
        }
        channel.waitForConfirmsOrDie(20_000);
        await().atMost(PATIENCE).until(() -> received.size() >= 50); // the old exchange has delivered its messages
        output(rabbit, commands.get(3));
        assertThat(output(rabbit, commands.get(0))).doesNotContainPattern("(?m)^shop\\t");
        publish(channel, "delayed.shop", 500, "the last");
        sent.add("the last");
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(received).containsExactlyInAnyOrderElementsOf(sent));

        if (majorVersion(rabbit) >= 4) {
            output(rabbit, commands.get(4));
            assertThat(rabbit.ctl("list_policies")).contains("intake-limit");
            publish(channel, "delayed.shop", 100, "after the policy");
            await().atMost(PATIENCE).until(() -> received.contains("after the policy"));
        }
    }

    private static void publish(Channel channel, String exchange, int delay, String body) throws IOException {
        AMQP.BasicProperties properties = new AMQP.BasicProperties.Builder()
                .deliveryMode(2)
                .headers(Map.of("x-delay", delay))
                .build();
        channel.basicPublish(exchange, KEY, properties, body.getBytes(StandardCharsets.UTF_8));
    }

    /** Runs a command of the page on this server. */
    private String output(RabbitServer rabbit, String command) throws IOException, InterruptedException {
        List<String> words = WORD.matcher(command)
                .results()
                .map(word -> word.group(1) != null ? word.group(1) : word.group(2))
                .map(word -> word.endsWith(".json") ? folder.resolve(word).toString() : word)
                .toList();
        List<String> arguments = words.subList(1, words.size());
        return switch (words.get(0)) {
            case "rabbitmqctl" -> rabbit.ctl(arguments.toArray(String[]::new));
            case "rabbitmqadmin" -> rabbitmqadmin(arguments);
            default -> throw new AssertionError("Unknown command: " + command);
        };
    }

    private String rabbitmqadmin(List<String> arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("rabbitmqadmin", "-H", "127.0.0.1", "-P", "" + adminPort));
        command.addAll(arguments);
        Path output = folder.resolve("rabbitmqadmin.txt");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        String text = Files.readString(output);
        assertThat(process.exitValue()).as(text).isZero();
        return text;
    }

    private static int majorVersion(RabbitServer rabbit) {
        return Integer.parseInt(rabbit.ctl("version").strip().split("\\.", 2)[0]);
    }

    private static Connection connection(RabbitServer rabbit) throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(rabbit.uri());
        return factory.newConnection();
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException ex) {
            throw new IllegalStateException(ex);
        }
    }
}
