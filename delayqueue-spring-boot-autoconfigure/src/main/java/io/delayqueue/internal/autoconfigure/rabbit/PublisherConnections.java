// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.rabbit;

import static java.util.Objects.requireNonNull;

import io.delayqueue.internal.autoconfigure.failure.InvalidDelayQueueSetupException;
import java.util.List;
import org.springframework.amqp.rabbit.connection.AbstractConnectionFactory;
import org.springframework.amqp.rabbit.connection.AbstractRoutingConnectionFactory;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.connection.RabbitConnectionFactoryBean;
import org.springframework.boot.amqp.autoconfigure.CachingConnectionFactoryConfigurer;
import org.springframework.boot.amqp.autoconfigure.ConnectionFactoryCustomizer;
import org.springframework.boot.amqp.autoconfigure.RabbitConnectionDetails;
import org.springframework.boot.amqp.autoconfigure.RabbitConnectionFactoryBeanConfigurer;

/** Creates connection factories for the publisher's own connections to the application's servers. */
final class PublisherConnections {

    private PublisherConnections() {}

    /**
     * Creates a factory in the same way as Spring Boot: from {@code spring.rabbitmq} or connection details, with
     * customizers.
     */
    static CachingConnectionFactory configured(
            RabbitConnectionDetails details,
            RabbitConnectionFactoryBeanConfigurer clientConfigurer,
            CachingConnectionFactoryConfigurer configurer,
            List<ConnectionFactoryCustomizer> customizers) {
        SslBundleConnectionFactoryBean bean = new SslBundleConnectionFactoryBean(details);
        clientConfigurer.configure(bean);
        com.rabbitmq.client.ConnectionFactory client;
        try {
            bean.afterPropertiesSet();
            client = bean.getObject();
        } catch (Exception ex) {
            throw new InvalidDelayQueueSetupException(
                    "The RabbitMQ connection cannot be created from spring.rabbitmq.*: " + ex.getMessage() + ".",
                    "Correct spring.rabbitmq.*.");
        }
        customizers.forEach(customizer -> customizer.customize(client));
        CachingConnectionFactory factory = new CachingConnectionFactory(client);
        configurer.configure(factory);
        return factory;
    }

    /**
     * Creates a factory with the same servers, credentials and TLS as the application's. For a routing factory, uses
     * its default target.
     */
    static CachingConnectionFactory like(ConnectionFactory application) {
        ConnectionFactory target = application instanceof AbstractRoutingConnectionFactory routing
                ? DefaultTarget.of(routing)
                : application;
        if (!(target instanceof AbstractConnectionFactory template)) {
            throw new InvalidDelayQueueSetupException(
                    "The application's RabbitMQ ConnectionFactory is a "
                            + target.getClass().getName()
                            + ", which the delay queues cannot copy.",
                    "Declare a CachingConnectionFactory bean with @Bean(defaultCandidate = false), and name it in "
                            + "delayqueue.defaults.rabbit.connection-factory.");
        }
        CachingConnectionFactory factory = new CachingConnectionFactory(
                template.getRabbitConnectionFactory().clone());
        factory.setAddressResolver(new PublisherAddresses(template));
        return factory;
    }

    /** A factory with an SSL bundle. Spring Boot's own subclass is not accessible. */
    private static final class SslBundleConnectionFactoryBean extends RabbitConnectionFactoryBean {

        private final RabbitConnectionDetails details;
        private boolean hostnameVerification = true;

        SslBundleConnectionFactoryBean(RabbitConnectionDetails details) {
            this.details = details;
        }

        @Override
        protected void setUpSSL() {
            if (details.getSslBundle() == null) {
                super.setUpSSL();
                return;
            }
            // read for each connection, because the bundle may have been reloaded
            connectionFactory.setSslContextFactory(
                    connection -> requireNonNull(details.getSslBundle()).createSslContext());
            if (hostnameVerification) {
                connectionFactory.enableHostnameVerification();
            }
        }

        @Override
        public void setEnableHostnameVerification(boolean enable) {
            hostnameVerification = enable;
            super.setEnableHostnameVerification(enable);
        }
    }
}
