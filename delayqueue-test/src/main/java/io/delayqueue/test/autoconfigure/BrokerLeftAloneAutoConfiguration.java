// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.autoconfigure;

import io.delayqueue.test.autoconfigure.OnEmbeddedServerCondition.OnNoChoiceOfBroker;
import java.util.Map;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration;
import org.springframework.boot.amqp.autoconfigure.RabbitConnectionDetails;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Prevents a test with the kit from publishing to the application's configured broker, which may be a production
 * broker. Tasks for RabbitMQ then remain in Redis. Backs off if there are connection details, for example from a
 * container or the embedded broker, or if {@code delayqueue.test.embedded.rabbit} is set.
 */
@AutoConfiguration(before = RabbitAutoConfiguration.class, after = EmbeddedAmqpBrokerAutoConfiguration.class)
@ConditionalOnClass(RabbitConnectionDetails.class)
@ConditionalOnBean(type = "io.delayqueue.test.DelayQueueTestKit")
@ConditionalOnMissingBean(RabbitConnectionDetails.class)
@Conditional(OnNoChoiceOfBroker.class)
@Import(BrokerLeftAloneAutoConfiguration.WithoutRabbit.class)
final class BrokerLeftAloneAutoConfiguration {

    /** Registrar that runs before the conditions of {@code DelayQueueRabbitAutoConfiguration} are evaluated. */
    static final class WithoutRabbit implements ImportBeanDefinitionRegistrar {

        private final ConfigurableEnvironment environment;

        WithoutRabbit(Environment environment) {
            this.environment = (ConfigurableEnvironment) environment;
        }

        @Override
        public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
            environment
                    .getPropertySources()
                    .addFirst(new MapPropertySource(
                            "delayqueue test kit without a broker", Map.of("delayqueue.rabbit.enabled", "false")));
        }
    }
}
