// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import static io.delayqueue.test.server.RabbitServerIntegrationTests.connect;
import static io.delayqueue.test.server.RedisServerIntegrationTests.isAlive;
import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.MessageProperties;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What a server still has when it comes back. */
class RabbitServerRestartIntegrationTests {

    private static RabbitServer rabbit;

    @BeforeAll
    static void start() {
        rabbit = RabbitServer.installed().start();
    }

    @AfterAll
    static void close() {
        rabbit.close();
    }

    @Test
    void startAfterKillComesBackOnItsPortWithDurableQueuesAndPersistentMessages() throws Exception {
        long pid = rabbit.pid();
        assertThat(ProcessHandle.of(pid).flatMap(handle -> handle.info().command()))
                .hasValueSatisfying(command -> assertThat(command).contains("beam"));
        int port = rabbit.port();
        publishPersistent("survivor");
        // What was declared stays in the broker's memory for up to two seconds.
        rabbit.ctl("eval", "mnesia:sync_log().");

        rabbit.kill();

        assertThat(rabbit.isRunning()).isFalse();
        assertThat(isAlive(pid)).isFalse();
        rabbit.start();
        assertThat(rabbit.port()).isEqualTo(port);
        assertThat(rabbit.pid()).isNotEqualTo(pid);
        assertThat(take("survivor")).isEqualTo("message");
    }

    @Test
    void restartKeepsDurableQueuesAndPersistentMessages() throws Exception {
        publishPersistent("restarted");

        rabbit.restart();

        assertThat(take("restarted")).isEqualTo("message");
    }

    private static void publishPersistent(String queue) throws Exception {
        try (Connection connection = connect(rabbit);
                Channel channel = connection.createChannel()) {
            channel.queueDeclare(queue, true, false, false, null);
            channel.confirmSelect();
            AMQP.BasicProperties persistent = MessageProperties.PERSISTENT_TEXT_PLAIN;
            channel.basicPublish("", queue, persistent, "message".getBytes(StandardCharsets.UTF_8));
            channel.waitForConfirmsOrDie(Duration.ofSeconds(10).toMillis());
        }
    }

    private static String take(String queue) throws Exception {
        try (Connection connection = connect(rabbit);
                Channel channel = connection.createChannel()) {
            GetResponse response = channel.basicGet(queue, true);
            return new String(response.getBody(), StandardCharsets.UTF_8);
        }
    }
}
