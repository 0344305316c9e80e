// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import io.delayqueue.control.QueueControl;
import io.delayqueue.internal.autoconfigure.endpoint.DelayQueueEndpoint;
import io.delayqueue.internal.autoconfigure.endpoint.DelayQueueEndpointJmxExtension;
import io.delayqueue.internal.autoconfigure.endpoint.DelayQueueEndpointWebExtension;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.endpoint.expose.EndpointExposure;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Auto-configuration of the actuator endpoint {@code delayqueue}, where it is exposed and access to it is not {@code none}.
 */
@AutoConfiguration(after = DelayQueueAutoConfiguration.class)
@ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
public final class DelayQueueEndpointAutoConfiguration {

    /** Apart, for its conditions are classes of the actuator. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnAvailableEndpoint(endpoint = DelayQueueEndpoint.class)
    @ConditionalOnBean(QueueControl.class)
    static class EndpointConfiguration {

        @Bean
        DelayQueueEndpoint delayQueueEndpoint(QueueControl control) {
            return new DelayQueueEndpoint(control);
        }

        @Bean
        @ConditionalOnAvailableEndpoint(exposure = EndpointExposure.WEB)
        DelayQueueEndpointWebExtension delayQueueEndpointWebExtension(QueueControl control) {
            return new DelayQueueEndpointWebExtension(control);
        }

        @Bean
        @ConditionalOnAvailableEndpoint(exposure = EndpointExposure.JMX)
        DelayQueueEndpointJmxExtension delayQueueEndpointJmxExtension(QueueControl control) {
            return new DelayQueueEndpointJmxExtension(control);
        }
    }
}
