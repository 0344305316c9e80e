// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.guide.migration.rabbit;

import org.springframework.amqp.support.converter.JacksonJsonMessageConverter;
import org.springframework.amqp.support.converter.MessageConverter;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class MessageFormat {

    @Bean
    MessageConverter jsonMessages() {
        return new JacksonJsonMessageConverter();
    }
}
