// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.internal.input.DurationText;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.redis.RedisConnections;
import io.delayqueue.internal.redis.RedisKeys;
import io.delayqueue.internal.store.PendingChanges;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Primary;
import org.springframework.core.env.Environment;

@Configuration(proxyBeanMethods = false)
class KitConfiguration {

    private static final String TIMEOUT = "delayqueue.test.timeout";

    @Bean
    static Pollers delayQueueTestPollers(ObjectProvider<ObservedDeliveries> deliveries) {
        return new Pollers(deliveries);
    }

    @Bean
    static OwnKeys delayQueueTestOwnKeys() {
        return new OwnKeys();
    }

    @Bean
    CurrentTest delayQueueTestCurrentTest() {
        return new CurrentTest();
    }

    @Bean
    KitTime delayQueueTestTime() {
        return new KitTime();
    }

    @Bean
    ObservedDeliveries delayQueueTestDeliveries() {
        return new ObservedDeliveries();
    }

    @Bean
    QueueTraces delayQueueTestTraces(RedisKeys keys, ObjectProvider<RedisConnections> connections, OwnKeys ownKeys) {
        return new QueueTraces(keys, connections::getObject, ownKeys::shards);
    }

    @Bean
    @Lazy(false)
    DelayQueueTestKit delayQueueTestKit(
            KitTime time,
            ObservedDeliveries deliveries,
            Pollers pollers,
            QueueCatalog catalog,
            DelayQueueAdmin admin,
            DelayQueueOperations operations,
            ObjectProvider<PendingChanges> elsewhere,
            QueueTraces traces,
            Environment environment) {
        QueueViews queues = new QueueViews(catalog, admin, operations, time);
        Settling settling = new Settling(
                queues, pollers, deliveries, () -> elsewhere.orderedStream().toList(), timeout(environment));
        return new DelayQueueTestKit(
                time, deliveries, queues, settling, new Reset(queues, traces, settling, deliveries));
    }

    private static Duration timeout(Environment environment) {
        String text = environment.getProperty(TIMEOUT, "10s");
        if (DurationText.lacksUnit(text)) {
            throw new IllegalArgumentException(
                    TIMEOUT + " is '" + text + "', a duration without a unit. Write " + DurationText.withUnits(text));
        }
        Duration timeout = DurationStyle.detectAndParse(text);
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException(TIMEOUT + " must be positive, but is " + timeout);
        }
        return timeout;
    }

    /** Adds the kit's clock as the primary one. */
    @Configuration(proxyBeanMethods = false)
    static class ApplicationClock {

        private static final String NAME = "delayQueueTestClock";

        @Bean
        static BeanFactoryPostProcessor delayQueueTestClockIsPrimary() {
            return beans -> Arrays.stream(beans.getBeanNamesForType(Clock.class, true, false))
                    .filter(name -> !name.equals(NAME) && beans.containsBeanDefinition(name))
                    .forEach(name -> beans.getBeanDefinition(name).setPrimary(false));
        }

        @Bean(NAME)
        @Primary
        Clock delayQueueTestClock(KitTime time) {
            return time.clock();
        }
    }
}
