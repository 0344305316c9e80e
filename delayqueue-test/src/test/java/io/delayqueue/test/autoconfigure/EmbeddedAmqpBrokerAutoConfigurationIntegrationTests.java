// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.internal.test.AmqpServerConnectionDetails;
import io.delayqueue.test.server.EmbeddedAmqpBroker;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.amqp.core.AmqpAdmin;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration;
import org.springframework.boot.amqp.autoconfigure.RabbitConnectionDetails;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@ExtendWith(OutputCaptureExtension.class)
class EmbeddedAmqpBrokerAutoConfigurationIntegrationTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(EmbeddedAmqpBrokerAutoConfiguration.class, RabbitAutoConfiguration.class));

    @Test
    void nothingStartsWithoutTheProperty() {
        runner.run(context -> assertThat(context).doesNotHaveBean(EmbeddedAmqpBroker.class));
    }

    @ParameterizedTest
    @ValueSource(strings = {"true", "auto"})
    void applicationRunsOnTheEmbeddedBroker(String mode, CapturedOutput output) {
        EmbeddedAmqpBroker[] broker = new EmbeddedAmqpBroker[1];
        runner.withPropertyValues("delayqueue.test.embedded.rabbit=" + mode).run(context -> {
            broker[0] = context.getBean(EmbeddedAmqpBroker.class);
            context.getBean(AmqpAdmin.class).declareQueue(new Queue("orders"));
            RabbitTemplate template = context.getBean(RabbitTemplate.class);
            template.convertAndSend("orders", "hello");
            assertThat(template.receiveAndConvert("orders", 5000)).isEqualTo("hello");
            assertThat(output).contains("embedded AMQP broker", "127.0.0.1:" + broker[0].port());
        });
        assertThat(broker[0].isRunning()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "spring.rabbitmq.host=rabbit.test",
                "spring.rabbitmq.port=5673",
                "spring.rabbitmq.addresses[0]=amqp://rabbit.test"
            })
    void nothingStartsWhenAutoAndTheApplicationNamesABroker(String property) {
        runner.withPropertyValues("delayqueue.test.embedded.rabbit=auto", property)
                .run(context -> assertThat(context).doesNotHaveBean(EmbeddedAmqpBroker.class));
    }

    @Test
    void nothingStartsWhenTheApplicationHasConnectionDetails() {
        runner.withUserConfiguration(OwnDetails.class)
                .withPropertyValues("delayqueue.test.embedded.rabbit=true")
                .run(context -> assertThat(context)
                        .hasSingleBean(RabbitConnectionDetails.class)
                        .doesNotHaveBean(EmbeddedAmqpBroker.class));
    }

    @Test
    void nothingStartsWhenSpringBootsRabbitModuleIsMissing() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(EmbeddedAmqpBrokerAutoConfiguration.class))
                .withClassLoader(new FilteredClassLoader(RabbitConnectionDetails.class))
                .withPropertyValues("delayqueue.test.embedded.rabbit=true")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(EmbeddedAmqpBroker.class));
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnDetails {

        @Bean
        RabbitConnectionDetails ownDetails() {
            return new AmqpServerConnectionDetails(URI.create("amqp://own.test"));
        }
    }
}
