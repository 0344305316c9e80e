// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.autoconfigure;

import io.delayqueue.internal.test.AmqpServerConnectionDetails;
import io.delayqueue.test.autoconfigure.OnEmbeddedServerCondition.OnEmbeddedRabbit;
import io.delayqueue.test.server.EmbeddedAmqpBroker;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration;
import org.springframework.boot.amqp.autoconfigure.RabbitConnectionDetails;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;

/**
 * Auto-configuration that starts an {@link EmbeddedAmqpBroker} and connects Spring Boot to it.
 *
 * <p>Active only if {@code delayqueue.test.embedded.rabbit} is {@code true}, or if it is {@code auto} and the
 * application sets no broker address in {@code spring.rabbitmq}. Backs off if there are other {@link
 * RabbitConnectionDetails}. When the context closes, the broker stops after the beans that use it, and its messages are
 * lost.
 */
@AutoConfiguration(before = RabbitAutoConfiguration.class)
@ConditionalOnClass(RabbitConnectionDetails.class)
@ConditionalOnMissingBean(RabbitConnectionDetails.class)
@Conditional(OnEmbeddedRabbit.class)
public final class EmbeddedAmqpBrokerAutoConfiguration {

    private static final Logger log = LoggerFactory.getLogger(EmbeddedAmqpBrokerAutoConfiguration.class);

    @Bean(destroyMethod = "close")
    EmbeddedAmqpBroker delayQueueTestBroker() {
        EmbeddedAmqpBroker broker = new EmbeddedAmqpBroker();
        broker.start();
        log.info("Using an {} instead of a broker of spring.rabbitmq.*. Messages are lost at exit.", broker);
        return broker;
    }

    @Bean
    RabbitConnectionDetails delayQueueTestRabbitConnectionDetails(EmbeddedAmqpBroker broker) {
        return new AmqpServerConnectionDetails(broker.uri());
    }
}
