// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import io.delayqueue.codec.JacksonPayloadCodec;
import io.delayqueue.codec.MessagePackPayloadCodec;
import io.delayqueue.codec.PayloadCodec;
import io.delayqueue.codec.PayloadUpgrade;
import io.delayqueue.internal.autoconfigure.failure.InvalidDelayQueueSetupException;
import io.delayqueue.internal.autoconfigure.settings.DelayQueueProperties;
import io.delayqueue.internal.codec.PayloadCodecs;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.json.JsonMapper;

/**
 * Payload codecs, and the properties. The Javadoc tool of JDK 17 cannot document a public class with an annotation that
 * names a record with nested types.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(DelayQueueProperties.class)
class PayloadConfiguration {

    @Bean
    @ConditionalOnMissingBean
    JacksonPayloadCodec delayQueueJsonCodec(ObjectProvider<JsonMapper> mapper) {
        try {
            return new JacksonPayloadCodec(mapper.getIfAvailable(
                    () -> JsonMapper.builder().findAndAddModules().build()));
        } catch (NoUniqueBeanDefinitionException ex) {
            throw new InvalidDelayQueueSetupException(
                    "There are several JsonMapper beans, and not exactly one is primary: " + ex.getMessage(),
                    "Mark one as @Primary, or declare a JacksonPayloadCodec bean with the mapper for payloads.");
        }
    }

    @Bean
    PayloadCodecs delayQueuePayloadCodecs(
            ObjectProvider<PayloadCodec> codecs, ObjectProvider<PayloadUpgrade> upgrades) {
        return new PayloadCodecs(
                codecs.orderedStream().toList(), upgrades.stream().toList());
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "org.msgpack.jackson.dataformat.MessagePackMapper")
    static class MessagePackConfiguration {

        @Bean
        @ConditionalOnMissingBean
        MessagePackPayloadCodec delayQueueMessagePackCodec() {
            return new MessagePackPayloadCodec();
        }
    }
}
