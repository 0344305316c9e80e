// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import io.delayqueue.internal.autoconfigure.endpoint.AskedHosts;
import io.delayqueue.internal.autoconfigure.endpoint.DelayQueueEndpoint;
import io.delayqueue.internal.autoconfigure.endpoint.EndpointCalls;
import io.delayqueue.internal.autoconfigure.endpoint.ReactiveHostFilter;
import io.delayqueue.internal.control.QueueControl;
import io.delayqueue.internal.control.web.TrustedHosts;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.endpoint.expose.EndpointExposure;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.ResourceLoader;
import org.springframework.util.ClassUtils;

/**
 * Auto-configuration of the actuator endpoint {@code delayqueue}, if it is exposed and access to it is not
 * {@code none}.
 */
@AutoConfiguration(after = DelayQueueAutoConfiguration.class)
@ConditionalOnClass(
        value = {Endpoint.class, ConditionalOnAvailableEndpoint.class},
        name = "io.delayqueue.internal.control.QueueControl")
public final class DelayQueueEndpointAutoConfiguration {

    private static final Logger log = LoggerFactory.getLogger(DelayQueueEndpointAutoConfiguration.class);
    private static final String SECURITY = "org.springframework.security.web.FilterChainProxy";

    /** Creates the endpoint. A separate class, because its conditions use actuator classes. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnAvailableEndpoint(endpoint = DelayQueueEndpoint.class, exposure = EndpointExposure.WEB)
    @ConditionalOnBean(QueueControl.class)
    @EnableConfigurationProperties(DelayQueueEndpointProperties.class)
    static class EndpointConfiguration {

        @Bean
        @ConditionalOnMissingBean(name = "delayQueueEndpoint", search = SearchStrategy.CURRENT)
        DelayQueueEndpoint delayQueueEndpoint(QueueControl control) {
            return new DelayQueueEndpoint(control);
        }

        @Bean
        EndpointCalls delayQueueEndpointCalls(
                ObjectProvider<AskedHosts> asked, DelayQueueEndpointProperties properties) {
            AskedHosts hosts = asked.getIfAvailable();
            return new EndpointCalls(
                    hosts == null ? List::of : hosts,
                    new TrustedHosts(properties.hosts()),
                    hosts == null ? handle -> {} : AskedHosts::locate);
        }

        @Configuration(proxyBeanMethods = false)
        @ConditionalOnWebApplication(type = Type.SERVLET)
        static class Servlet {

            @Bean
            AskedHosts delayQueueEndpointHosts(ResourceLoader classes) {
                warnIfOpen(classes);
                return new AskedHosts();
            }
        }

        @Configuration(proxyBeanMethods = false)
        @ConditionalOnWebApplication(type = Type.REACTIVE)
        static class Reactive {

            @Bean
            ReactiveHostFilter delayQueueEndpointHosts(
                    ObjectProvider<PathMappedEndpoints> endpoints,
                    DelayQueueEndpointProperties properties,
                    ResourceLoader classes) {
                warnIfOpen(classes);
                return new ReactiveHostFilter(
                        () -> endpoints.getObject().getPath(EndpointId.of("delayqueue")),
                        new TrustedHosts(properties.hosts()));
            }
        }

        private static void warnIfOpen(ResourceLoader classes) {
            if (!ClassUtils.isPresent(SECURITY, classes.getClassLoader())) {
                log.warn("Anyone who can reach this application can use the endpoint 'delayqueue', "
                        + "because Spring Security is missing. Block other networks, or add Spring "
                        + "Security");
            }
        }
    }
}
