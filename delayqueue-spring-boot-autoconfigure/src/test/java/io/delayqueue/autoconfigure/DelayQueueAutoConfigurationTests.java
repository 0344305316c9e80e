// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.AdditionalAnswers.delegatesTo;
import static org.mockito.Mockito.mock;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.codec.JacksonPayloadCodec;
import io.delayqueue.codec.MessagePackPayloadCodec;
import io.delayqueue.codec.PayloadCodec;
import io.delayqueue.internal.admin.TaskStoreAdmin;
import io.delayqueue.internal.client.DelayQueueTemplate;
import io.delayqueue.internal.codec.PayloadCodecs;
import io.delayqueue.internal.control.QueueControl;
import io.delayqueue.internal.engine.Engine;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.queue.TaskBounds;
import io.delayqueue.internal.redis.RedisConnections;
import io.delayqueue.internal.redis.RedisKeys;
import io.delayqueue.internal.redis.RedisKeys.QueueKey;
import io.delayqueue.internal.redis.wake.RedisWakeSignals;
import io.delayqueue.internal.store.TaskStore;
import io.delayqueue.internal.trigger.TriggerContext;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import tools.jackson.databind.json.JsonMapper;

class DelayQueueAutoConfigurationTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DataRedisAutoConfiguration.class,
                    JacksonAutoConfiguration.class,
                    DelayQueueAutoConfiguration.class))
            .withPropertyValues("spring.data.redis.port=1");

    @Test
    void everyBeanIsThereWithoutAnyProperty() {
        runner.run(context -> assertThat(context)
                .hasNotFailed()
                .hasSingleBean(DelayQueueTemplate.class)
                .hasSingleBean(TaskStoreAdmin.class)
                .hasSingleBean(TaskStore.class)
                .hasSingleBean(RedisKeys.class)
                .hasSingleBean(RedisWakeSignals.class)
                .hasSingleBean(PayloadCodecs.class)
                .hasSingleBean(QueueCatalog.class)
                .hasSingleBean(TaskBounds.class)
                .hasSingleBean(Engine.class)
                .hasSingleBean(TriggerContext.class)
                .hasSingleBean(RedisConnections.class));
    }

    @Test
    void nothingIsThereWithoutLettuce() {
        runner.withClassLoader(new FilteredClassLoader(RedisClient.class))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(DelayQueueAutoConfiguration.class));
    }

    @Test
    void theApplicationsConnectionFactoryStaysTheOnlyOne() {
        runner.run(context -> {
            assertThat(context).hasSingleBean(RedisConnectionFactory.class).hasSingleBean(StringRedisTemplate.class);
            assertThat(context).doesNotHaveBean(AbstractRedisClient.class);
        });
    }

    /** It is not necessary to choose one of them before there is a queue. */
    @Test
    void twoConnectionFactoriesOfWhichNoneIsPrimaryMayBeThereWithoutAQueue() {
        runner.withBean("one", RedisConnectionFactory.class, LettuceConnectionFactory::new)
                .withBean("other", RedisConnectionFactory.class, LettuceConnectionFactory::new)
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .getBeans(RedisConnectionFactory.class)
                        .hasSize(2));
    }

    /** As by {@code @MockitoBean}, which takes the place of the only bean of the type. */
    @Test
    void theOperationsMayBeAMock() {
        DelayQueueOperations mock = mock(DelayQueueOperations.class);
        runner.withInitializer(context -> context.addBeanFactoryPostProcessor(beans -> {
                    BeanDefinitionRegistry definitions = (BeanDefinitionRegistry) beans;
                    definitions.removeBeanDefinition("delayQueueTemplate");
                    definitions.registerBeanDefinition(
                            "delayQueueTemplate", new RootBeanDefinition(DelayQueueOperations.class, () -> mock));
                }))
                .run(context -> {
                    assertThat(context).hasNotFailed().hasSingleBean(QueueControl.class);
                    assertThat(context.getBean(DelayQueueOperations.class)).isSameAs(mock);
                });
    }

    @Test
    void theKeyPrefixIsConfigurable() {
        runner.withPropertyValues("delayqueue.key-prefix=shop")
                .run(context -> assertThat(context.getBean(RedisKeys.class).of(QueueKey.SHARDING, "orders"))
                        .isEqualTo("shop:{orders}:sharding"));
    }

    @Test
    void theJsonCodecUsesTheApplicationsMapper() {
        runner.withPropertyValues("spring.jackson.property-naming-strategy=SNAKE_CASE")
                .run(context -> {
                    byte[] encoded = context.getBean(PayloadCodecs.class)
                            .encode(new Payload(7), "json")
                            .bytes();
                    assertThat(new String(encoded, StandardCharsets.UTF_8)).isEqualTo("{\"order_number\":7}");
                });
    }

    @Test
    void theJsonCodecDoesWithoutTheApplicationsMapper() {
        new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(DataRedisAutoConfiguration.class, DelayQueueAutoConfiguration.class))
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(JacksonPayloadCodec.class));
    }

    @Test
    void messagePackIsKnownOnlyWithItsLibrary() {
        runner.run(context ->
                assertThat(context.getBean(PayloadCodecs.class).names()).containsExactlyInAnyOrder("json", "msgpack"));
        runner.withClassLoader(new FilteredClassLoader("org.msgpack.jackson")).run(context -> {
            assertThat(context).hasNotFailed().doesNotHaveBean(MessagePackPayloadCodec.class);
            assertThat(context.getBean(PayloadCodecs.class).names()).containsExactly("json");
        });
    }

    @Test
    void aCodecOfTheApplicationCanBeSelectedAndComesFirst() {
        runner.withUserConfiguration(CodecConfiguration.class)
                .withPropertyValues("delayqueue.queues.orders.codec=upper", "delayqueue.queues.other.codec=json")
                .run(context -> {
                    PayloadCodecs codecs = context.getBean(PayloadCodecs.class);
                    assertThat(codecs.names()).startsWith("upper");
                    assertThat(codecs.encode(new Payload(7), "upper").bytes()).isEqualTo(new byte[] {'U'});
                    assertThat(context.getBean(QueueCatalog.class).get("orders").codec())
                            .isEqualTo("upper");
                });
    }

    @Test
    void anotherJsonCodecOfTheApplicationWins() {
        runner.withUserConfiguration(OwnJsonConfiguration.class)
                .run(context -> assertThat(context.getBean(PayloadCodecs.class)
                                .encode(new Payload(7), "json")
                                .bytes())
                        .isEqualTo(new byte[] {'U'}));
    }

    @Test
    void beansOfTheApplicationWin() {
        runner.withUserConfiguration(OwnBeansConfiguration.class).run(context -> {
            assertThat(context).hasNotFailed();
            for (Class<?> type :
                    List.of(DelayQueueAdmin.class, JacksonPayloadCodec.class, MessagePackPayloadCodec.class)) {
                assertThat(context.getBeanNamesForType(type)).as(type.getName()).hasSize(1);
                assertThat(context.getBeanNamesForType(type)[0]).startsWith("own");
            }
        });
    }

    @Test
    void aPrimaryBeanOfTheInterfaceDecoratesTheTemplate() {
        runner.withUserConfiguration(DecoratingConfiguration.class).run(context -> {
            assertThat(context).hasNotFailed().hasSingleBean(DelayQueueTemplate.class);
            assertThat(context.getBean(DelayQueueOperations.class)).isSameAs(context.getBean("decorated"));
        });
    }

    record Payload(int orderNumber) {}

    @Configuration(proxyBeanMethods = false)
    static class CodecConfiguration {

        @Bean
        PayloadCodec upperCodec() {
            return new OneByteCodec("upper", "application/x-upper");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnJsonConfiguration {

        @Bean
        PayloadCodec ownJson() {
            return new OneByteCodec("json", "application/json");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class DecoratingConfiguration {

        @Bean
        @Primary
        DelayQueueOperations decorated(@Qualifier("delayQueueTemplate") DelayQueueOperations template) {
            return mock(DelayQueueOperations.class, delegatesTo(template));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnBeansConfiguration {

        @Bean
        DelayQueueAdmin ownAdmin() {
            return mock(DelayQueueAdmin.class);
        }

        @Bean
        JacksonPayloadCodec ownJson() {
            return new JacksonPayloadCodec(JsonMapper.shared());
        }

        @Bean
        MessagePackPayloadCodec ownMessagePack() {
            return new MessagePackPayloadCodec();
        }
    }

    private record OneByteCodec(String name, String contentType) implements PayloadCodec {

        @Override
        public byte[] encode(Object payload) {
            return new byte[] {'U'};
        }

        @Override
        public Object decode(byte[] payload, Type type) {
            return "U";
        }
    }
}
