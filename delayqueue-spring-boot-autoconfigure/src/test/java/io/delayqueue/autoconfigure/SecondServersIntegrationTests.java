// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.internal.redis.RedisConnections;
import io.delayqueue.test.junit.DelayQueueServers;
import io.delayqueue.test.server.RabbitServer;
import io.delayqueue.test.server.RedisServer;
import java.net.URI;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/** Tasks on a Redis and on a broker that are not the application's; the broker is a separate virtual host. */
@DelayQueueServers(rabbit = DelayQueueServers.Rabbit.REAL)
class SecondServersIntegrationTests {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final RedisServer redis;
    private final RabbitServer rabbit;

    SecondServersIntegrationTests(RedisServer redis, RabbitServer rabbit) {
        this.redis = redis;
        this.rabbit = rabbit;
    }

    private ApplicationContextRunner runner() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        DataRedisAutoConfiguration.class,
                        RabbitAutoConfiguration.class,
                        DelayQueueAutoConfiguration.class,
                        DelayQueueRabbitAutoConfiguration.class))
                .withPropertyValues(
                        "spring.data.redis.url=" + redis.uri(),
                        "spring.rabbitmq.addresses=" + rabbit.uri(),
                        "test.broker=" + rabbit.uri());
    }

    @Test
    void tasksAreKeptOnTheRedisThatThePropertiesName() {
        try (RedisServer timers = RedisServer.available().start()) {
            runner().withPropertyValues(
                            "delayqueue.redis.url=" + timers.uri(),
                            "delayqueue.key-prefix=second",
                            "delayqueue.redis.request-queue-size=77",
                            "delayqueue.queues.reminders=")
                    .run(context -> {
                        assertThat(context).hasNotFailed();
                        context.getBean(DelayQueueOperations.class)
                                .schedule(requestTo("reminders", "x", Duration.ofHours(1)));

                        assertThat(context.getBean(RedisConnections.class)
                                        .client()
                                        .getOptions()
                                        .getRequestQueueSize())
                                .isEqualTo(77);
                        assertThat(keys(redis)).as("on the application's Redis").isEmpty();
                        assertThat(keys(timers)).isNotEmpty();
                    });
        }
    }

    @Test
    void tasksGoToTheBrokerThatThePropertiesNameAndAreDeclaredThere() {
        rabbit.ctl("add_vhost", "mails");
        rabbit.ctl("set_permissions", "-p", "mails", user(rabbit.uri()), ".*", ".*", ".*");
        runner().withUserConfiguration(MailBroker.class)
                .withPropertyValues(
                        "delayqueue.key-prefix=broker",
                        "delayqueue.rabbit.connection-factory=mailBroker",
                        "delayqueue.queues.mails.rabbit.exchange=two",
                        "delayqueue.queues.mails.rabbit.declare.exchange-type=direct",
                        "delayqueue.queues.mails.rabbit.declare.queue=two.mails")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    RabbitTemplate mails =
                            new RabbitTemplate(context.getBean("mailBroker", CachingConnectionFactory.class));

                    context.getBean(DelayQueueOperations.class)
                            .schedule(requestTo("mails", "Guten Tag", Duration.ofMillis(10)));

                    Message mail = await().atMost(PATIENCE).until(() -> mails.receive("two.mails"), m -> m != null);
                    assertThat(new String(mail.getBody())).isEqualTo("Guten Tag");
                    assertThat(mail.getMessageProperties().getTimestamp()).isNotNull();
                    assertThat(rabbit.ctl("list_queues", "name")).doesNotContain("two.mails");
                });
    }

    private static Set<String> keys(RedisServer server) {
        LettuceConnectionFactory factory =
                new LettuceConnectionFactory(LettuceConnectionFactory.createRedisConfiguration(
                        server.adminUri().toString()));
        factory.afterPropertiesSet();
        factory.start();
        try {
            return new StringRedisTemplate(factory).keys("second:*");
        } finally {
            factory.destroy();
        }
    }

    private static String user(URI uri) {
        return uri.getUserInfo().split(":")[0];
    }

    @Configuration(proxyBeanMethods = false)
    static class MailBroker {

        @Bean(defaultCandidate = false)
        CachingConnectionFactory mailBroker(Environment environment) {
            CachingConnectionFactory factory =
                    new CachingConnectionFactory(URI.create(environment.getRequiredProperty("test.broker")));
            factory.setVirtualHost("mails");
            return factory;
        }
    }
}
