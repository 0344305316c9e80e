// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.delivery.Delivery;
import io.delayqueue.delivery.Outcome;
import io.delayqueue.delivery.TaskDestination;
import io.delayqueue.internal.autoconfigure.failure.InvalidDelayQueueSetupException;
import io.delayqueue.rabbit.RabbitAddress;
import io.delayqueue.rabbit.RabbitScanTrigger;
import io.delayqueue.test.junit.DelayQueueServers;
import io.delayqueue.test.server.RabbitServer;
import io.delayqueue.test.server.RedisServer;
import io.delayqueue.trigger.ScanTrigger;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.aspectj.lang.JoinPoint;
import org.aspectj.lang.annotation.Aspect;
import org.aspectj.lang.annotation.Before;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.aop.support.AopUtils;
import org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.EnableAspectJAutoProxy;
import org.springframework.context.annotation.Scope;

/** Trigger beans that an aspect has a proxy made of, on real servers. */
@DelayQueueServers(rabbit = DelayQueueServers.Rabbit.REAL)
class ProxiedTriggerIntegrationTests {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String QUEUE = "proxied.orders";

    private ApplicationContextRunner runner;

    @BeforeEach
    void connect(RedisServer redis, RabbitServer rabbit) {
        runner = new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        DataRedisAutoConfiguration.class,
                        RabbitAutoConfiguration.class,
                        DelayQueueAutoConfiguration.class,
                        DelayQueueRabbitAutoConfiguration.class))
                .withPropertyValues(
                        "spring.data.redis.url=" + redis.uri(),
                        "spring.rabbitmq.addresses=" + rabbit.uri(),
                        "delayqueue.key-prefix=t" + System.nanoTime(),
                        "delayqueue.queues.orders.shards=1");
    }

    @Aspect
    static class Noting {

        final List<String> calls = new CopyOnWriteArrayList<>();

        @Before("bean(*rigger) && within(io.delayqueue..*)")
        public void note(JoinPoint call) {
            calls.add(call.getSignature().getName());
        }
    }

    @EnableAspectJAutoProxy(proxyTargetClass = true)
    @Configuration(proxyBeanMethods = false)
    static class ProxiesOfClasses {

        @Bean
        static Noting noting() {
            return new Noting();
        }
    }

    @EnableAspectJAutoProxy(proxyTargetClass = false)
    @Configuration(proxyBeanMethods = false)
    static class ProxiesOfInterfaces {

        @Bean
        static Noting noting() {
            return new Noting();
        }
    }

    static class OwnTrigger extends ScanTrigger {

        private final List<String> delivered = new CopyOnWriteArrayList<>();

        OwnTrigger() {
            super("orders");
        }

        @Override
        protected TaskDestination createDestination() {
            return deliveries -> deliveries.forEach(delivery -> {
                delivered.add(delivery.id());
                delivery.settle(Outcome.delivered());
            });
        }

        List<String> delivered() {
            return delivered;
        }
    }

    @Test
    void triggerWhenAnAspectProxiesItScansAsWithout() {
        runner.withUserConfiguration(ProxiesOfClasses.class)
                .withBean("ownTrigger", OwnTrigger.class)
                .run(context -> {
                    OwnTrigger trigger = context.getBean(OwnTrigger.class);
                    assertThat(AopUtils.isCglibProxy(trigger)).isTrue();
                    assertThat(trigger.queue()).isEqualTo("orders");
                    assertThat(trigger.isRunning()).isTrue();
                    DelayQueueOperations delayQueue = context.getBean(DelayQueueOperations.class);
                    String id = delayQueue
                            .schedule(requestTo("orders", "x", Duration.ZERO))
                            .id();
                    await().atMost(PATIENCE).until(() -> trigger.delivered().contains(id));
                    trigger.stop();
                    assertThat(trigger.isRunning()).isFalse();
                    String second = delayQueue
                            .schedule(requestTo("orders", "x", Duration.ZERO))
                            .id();
                    assertThat(trigger.scanOnce(10)).isEqualTo(1);
                    assertThat(trigger.delivered()).containsExactly(id, second);
                    assertThat(context.getBean(Noting.class).calls).contains("start", "isAutoStartup", "scanOnce");
                });
    }

    static class ShopTrigger extends RabbitScanTrigger {

        ShopTrigger() {
            super("orders");
        }

        @Override
        protected RabbitAddress address(Delivery delivery) {
            return new RabbitAddress(super.address(delivery).exchange(), QUEUE);
        }
    }

    @Test
    void rabbitTriggerWhenAnAspectProxiesItPublishesAsWithout() {
        runner.withUserConfiguration(ProxiesOfClasses.class)
                .withPropertyValues(
                        "delayqueue.queues.orders.rabbit.exchange=proxied-shop",
                        "delayqueue.queues.orders.rabbit.declare.exchange-type=direct",
                        "delayqueue.queues.orders.rabbit.declare.queue=" + QUEUE,
                        "delayqueue.queues.orders.rabbit.declare.binding-key=" + QUEUE)
                .withBean("shopTrigger", ShopTrigger.class)
                .run(context -> {
                    assertThat(AopUtils.isCglibProxy(context.getBean(ShopTrigger.class)))
                            .isTrue();
                    String id = context.getBean(DelayQueueOperations.class)
                            .schedule(requestTo("orders", "x", Duration.ZERO))
                            .id();
                    Message message = context.getBean(RabbitTemplate.class).receive(QUEUE, PATIENCE.toMillis());
                    assertThat(message).isNotNull();
                    assertThat(message.getMessageProperties().getMessageId()).isEqualTo(id);
                });
    }

    @Test
    void startWhenATriggerHasAProxyOfItsInterfacesFailsAndSaysWhatToDo() {
        runner.withUserConfiguration(ProxiesOfInterfaces.class)
                .withBean("ownTrigger", OwnTrigger.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(InvalidDelayQueueSetupException.class)
                        .hasMessageContaining("The trigger bean 'ownTrigger' of type " + OwnTrigger.class.getName())
                        .hasMessageContaining("proxyTargetClass=true"));
    }

    @Configuration(proxyBeanMethods = false)
    static class PrototypeTrigger {

        @Bean
        @Scope("prototype")
        OwnTrigger ownTrigger() {
            return new OwnTrigger();
        }
    }

    @Test
    void startWhenATriggerIsNoSingletonFailsAndSaysWhatToDo() {
        runner.withUserConfiguration(PrototypeTrigger.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(InvalidDelayQueueSetupException.class)
                        .hasMessageContaining("The trigger bean 'ownTrigger' is not a singleton")
                        .hasMessageContaining("Make it a singleton"));
    }
}
