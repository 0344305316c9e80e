// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.load;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.faults.history.HistoryWriter;
import io.delayqueue.internal.store.TaskStore;
import java.net.URI;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Schedules into two queues; it handles the tasks of one and forwards those of the other to RabbitMQ. It runs with its
 * settings until it is killed or stopped, and records its actions in its history.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@EnableConfigurationProperties(LoadSettings.class)
public class LoadApplication {

    /** The queue whose tasks it handles. */
    public static final String HANDLED = "handled";

    /** The queue whose tasks go to RabbitMQ. */
    public static final String FORWARDED = "forwarded";

    /** The broker's queue for forwarded tasks. */
    public static final String BROKER_QUEUE = "arrivals";

    /** The exchange that the profile names. */
    public static final String EXCHANGE = "faults";

    /** The routing key that the profile names. */
    public static final String ROUTING_KEY = "arrived";

    /** The broker's queue for a part of the forwarded tasks, if configured. */
    public static final String QUORUM_QUEUE = "arrivals-quorum";

    /** The routing key for that part. */
    public static final String QUORUM_ROUTING_KEY = "arrived-quorum";

    /** Returns whether a task belongs to that part. */
    public static boolean goesToQuorumQueue(String id, int percent) {
        return Math.floorMod(id.hashCode(), 100) < percent;
    }

    /** The profile that configures it. */
    public static final String PROFILE = "load";

    public static void main(String[] args) {
        new SpringApplicationBuilder(LoadApplication.class).profiles(PROFILE).run(args);
    }

    /** Not closed, so that it records events until the very end of the process. */
    @Bean(destroyMethod = "")
    HistoryWriter historyWriter(LoadSettings settings) {
        return HistoryWriter.open(settings.history(), settings.process());
    }

    @Bean
    RedisClock redisClock(LoadSettings settings) {
        return new RedisClock(settings.clock());
    }

    @Bean
    static BeanPostProcessor recordingStores(ObjectProvider<HistoryWriter> history) {
        return new BeanPostProcessor() {
            @Override
            public Object postProcessAfterInitialization(Object bean, String name) {
                return bean instanceof TaskStore store ? RecordingStore.around(store, history.getObject()) : bean;
            }
        };
    }

    @Bean
    @ConditionalOnBooleanProperty("faults.fenced")
    FencedTable fencedTable(LoadSettings settings) {
        return new FencedTable(settings.clock());
    }

    @Bean
    RecordedHandler recordedHandler(
            LoadSettings settings, HistoryWriter history, RedisClock clock, ObjectProvider<FencedTable> table) {
        return new RecordedHandler(
                history,
                clock,
                table.getIfAvailable(),
                settings.slowTime(),
                new ThrownAtRandom(settings.errorPercent(), settings.random("handler")));
    }

    @Bean
    @ConditionalOnProperty("faults.quorum-percent")
    TwoQueuesTrigger twoQueuesTrigger(LoadSettings settings) {
        return new TwoQueuesTrigger(settings.quorumPercent());
    }

    @Bean
    @ConditionalOnBooleanProperty("faults.outbox")
    TransactionalCalls transactionalCalls(
            DelayQueueOperations outbox,
            PlatformTransactionManager transactions,
            JdbcTemplate jdbc,
            LoadSettings settings,
            HistoryWriter history,
            RedisClock clock) {
        return new TransactionalCalls(outbox, new TransactionTemplate(transactions), jdbc, settings, history, clock);
    }

    @Bean
    Load load(
            LoadSettings settings,
            DelayQueueOperations operations,
            ObjectProvider<TransactionalCalls> transactional,
            @Value("${spring.rabbitmq.addresses}") URI broker,
            HistoryWriter history,
            RedisClock clock) {
        Calls direct = new Calls(operations, history, clock);
        TaskCalls calls = transactional.getIfAvailable();
        if (calls == null) {
            calls = (settings.intake() == null)
                    ? direct
                    : new PublishedCalls(broker, settings.intake(), direct, history, clock);
        }
        return new Load(settings, calls, direct, clock);
    }

    /** A separate class, because an earlier library lacks the types of its methods, which Spring inspects. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty("faults.error-percent")
    static class Interceptors {

        @Bean
        ThrowingInterceptor throwingInterceptor(LoadSettings settings) {
            return new ThrowingInterceptor(
                    new ThrownAtRandom(settings.errorPercent() / 3.0, settings.random("interceptor")));
        }
    }
}
