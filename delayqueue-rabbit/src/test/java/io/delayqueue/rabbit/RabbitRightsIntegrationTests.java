// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.ShutdownSignalException;
import io.delayqueue.internal.rabbit.publisher.RabbitDeclaration;
import io.delayqueue.internal.rabbit.publisher.RabbitDeclarations;
import io.delayqueue.test.junit.DelayQueueServers;
import io.delayqueue.test.server.RabbitServer;
import io.delayqueue.test.server.RedisServer;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The permissions of users with minimum rights. */
@DelayQueueServers(rabbit = DelayQueueServers.Rabbit.REAL)
class RabbitRightsIntegrationTests {

    private final String name = "r-" + UUID.randomUUID().toString().substring(0, 8);
    private final RedisServer redis;
    private final RabbitServer rabbit;
    private final Broker broker;
    private String target;

    RabbitRightsIntegrationTests(RedisServer redis, RabbitServer rabbit) {
        this.redis = redis;
        this.rabbit = rabbit;
        this.broker = new Broker(rabbit.uri());
    }

    @BeforeEach
    void declare() throws Exception {
        target = broker.declare(Map.of());
    }

    @Test
    void userWithTheRightsOfADeclarationMakesItAndPublishesThereAndNowhereElse() throws Exception {
        RabbitDeclaration declaration = new RabbitDeclaration(name, "direct", name + ".close", "key");
        String both = "^" + name + "(\\.close)?$";
        URI user = userWith(both, "^(" + name + "(\\.close)?|" + target + ")$", both);
        try (Scenario scenario = new Scenario(redis, user)) {
            RabbitDeclarations.register(scenario.publisher, List.of(declaration));
            await().ignoreExceptions().until(() -> scenario.stats() != null); // the first connection of this JVM
            scenario.schedule(10, 10);
            scenario.start(name, "key");
            scenario.awaitEmpty(Duration.ofSeconds(20));
        }
        assertThat(broker.count(name + ".close")).isEqualTo(10);

        try (Scenario scenario = new Scenario(redis, user)) {
            scenario.schedule("refused", "text/plain", Map.of(), "x");
            scenario.start("amq.topic", "key");
            assertThat(scenario.awaitDead("refused")).contains("refused for exchange 'amq.topic': 403 ACCESS_REFUSED");
        }
    }

    @Test
    void userThatMayPublishMayDoNothingElse() {
        Broker publisher = new Broker(rabbit.publisherUri());

        refused(publisher, channel -> channel.exchangeDeclare(name, "direct", true));
        refused(publisher, channel -> channel.queueDeclare(name, true, false, false, null));
        refused(publisher, channel -> channel.queueBind(target, target, "other"));
        refused(publisher, channel -> channel.basicGet(target, true));
        refused(publisher, channel -> channel.basicConsume(target, new com.rabbitmq.client.DefaultConsumer(channel)));
        refused(publisher, channel -> channel.queuePurge(target));
        refused(publisher, channel -> channel.queueDelete(target));
        refused(publisher, channel -> {
            channel.exchangeDelete(target);
            return null;
        });
    }

    private static void refused(Broker broker, Broker.Work<?> work) {
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> broker.with(work))
                .havingCause()
                .isInstanceOf(ShutdownSignalException.class)
                .withMessageContaining("ACCESS_REFUSED");
    }

    private URI userWith(String configure, String write, String read) {
        rabbit.ctl("add_user", name, "secret");
        rabbit.ctl("set_permissions", "-p", "/", name, configure, write, read);
        return URI.create("amqp://" + name + ":secret@" + rabbit.host() + ":" + rabbit.port());
    }
}
