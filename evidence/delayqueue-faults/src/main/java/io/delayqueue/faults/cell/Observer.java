// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.admin.QueueStats;
import io.delayqueue.faults.check.FinalState;
import io.delayqueue.faults.history.HistoryWriter;
import io.delayqueue.faults.load.LoadApplication;
import io.delayqueue.faults.load.RedisClock;
import java.util.ArrayList;
import java.util.List;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * Accesses the servers while bypassing the faults. Consumes the messages of the broker, waits until all tasks are
 * delivered, and reads the remaining data.
 */
final class Observer implements AutoCloseable {

    /** A property with a further queue of the broker to consume. */
    static final String SECOND_QUEUE = "faults.second-queue";

    private final ConfigurableApplicationContext context;
    private final DelayQueueAdmin admin;

    /**
     * Declares the broker's queue and starts to consume it.
     *
     * @param sharding properties of the applications that define the number of shards
     */
    Observer(Servers servers, List<String> sharding, RedisClock clock, HistoryWriter history) {
        List<String> arguments = new ArrayList<>();
        sharding.forEach(property -> arguments.add("--" + property));
        servers.forObserver().forEach(property -> arguments.add("--" + property));
        // The applications may only publish.
        if (!servers.hasBrokerQueue()) {
            arguments.add("--delayqueue.queues.forwarded.rabbit.declare.exchange-type=direct");
            arguments.add("--delayqueue.queues.forwarded.rabbit.declare.queue=" + LoadApplication.BROKER_QUEUE);
        }
        arguments.add("--delayqueue.queues.forwarded.trigger.auto-startup=false");
        arguments.add("--delayqueue.queues.handled.trigger.auto-startup=false");
        // Lost connections are restored, and logged many times.
        arguments.add("--logging.level.org.springframework.amqp.rabbit=ERROR");
        arguments.add("--logging.level.io.lettuce.core=ERROR");
        arguments.add("--logging.level.root=WARN");
        // These are expected: deliberate faults, and tables that an application has not created yet.
        arguments.add("--logging.level.org.mariadb=OFF");
        arguments.add("--logging.level.io.lettuce=ERROR");
        arguments.add("--logging.level.org.springframework.amqp=ERROR");
        this.context = new SpringApplicationBuilder(Configuration.class)
                .profiles(LoadApplication.PROFILE)
                .web(WebApplicationType.NONE)
                .logStartupInfo(false)
                .initializers(started -> {
                    started.getBeanFactory().registerSingleton("faultsHistory", history);
                    started.getBeanFactory().registerSingleton("faultsClock", clock);
                })
                .run(arguments.toArray(String[]::new));
        this.admin = context.getBean(DelayQueueAdmin.class);
    }

    /** Returns whether no queue has a task that could still be delivered. */
    boolean isDrained() {
        return live(LoadApplication.HANDLED) + live(LoadApplication.FORWARDED) == 0;
    }

    private long live(String queue) {
        QueueStats stats = admin.stats(queue);
        return stats.delayed() + stats.ready() + stats.leased();
    }

    /** Returns the admin, for an operator's changes. */
    DelayQueueAdmin admin() {
        return admin;
    }

    /** Returns the number of messages that have arrived. */
    long arrived() {
        return context.getBean(Arrivals.class).count();
    }

    /** Returns the remaining data in Redis. */
    FinalState finalState() {
        return new FinalStateReader(
                        context.getBean(StringRedisTemplate.class), context.getBean(DelayQueueOperations.class))
                .read(List.of(LoadApplication.HANDLED, LoadApplication.FORWARDED));
    }

    @Override
    public void close() {
        context.close();
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Configuration {

        @Bean
        Arrivals arrivals(HistoryWriter history, RedisClock clock) {
            return new Arrivals(history, clock);
        }

        @Bean
        SimpleMessageListenerContainer arrivalsContainer(ConnectionFactory connections, Arrivals arrivals) {
            return container(connections, arrivals, LoadApplication.BROKER_QUEUE);
        }

        /** Returns a separate container, so that neither queue waits for the other. */
        @Bean
        @ConditionalOnProperty(SECOND_QUEUE)
        SimpleMessageListenerContainer secondContainer(
                ConnectionFactory connections, Arrivals arrivals, @Value("${" + SECOND_QUEUE + "}") String queue) {
            return container(connections, arrivals, queue);
        }

        private static SimpleMessageListenerContainer container(
                ConnectionFactory connections, Arrivals arrivals, String queue) {
            SimpleMessageListenerContainer container = new SimpleMessageListenerContainer(connections);
            container.setQueueNames(queue);
            container.setMessageListener(arrivals);
            container.setPrefetchCount(250);
            container.setRecoveryInterval(200);
            container.setMissingQueuesFatal(false);
            return container;
        }
    }
}
