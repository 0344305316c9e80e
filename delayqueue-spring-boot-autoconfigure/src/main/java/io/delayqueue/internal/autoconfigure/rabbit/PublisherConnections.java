// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.rabbit;

import static java.util.Objects.requireNonNull;

import io.delayqueue.internal.autoconfigure.failure.InvalidDelayQueueSetupException;
import java.util.List;
import org.springframework.amqp.rabbit.connection.AbstractConnectionFactory;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.connection.RabbitConnectionFactoryBean;
import org.springframework.boot.amqp.autoconfigure.CachingConnectionFactoryConfigurer;
import org.springframework.boot.amqp.autoconfigure.ConnectionFactoryCustomizer;
import org.springframework.boot.amqp.autoconfigure.RabbitConnectionDetails;
import org.springframework.boot.amqp.autoconfigure.RabbitConnectionFactoryBeanConfigurer;

/** Makes connection factories for the publisher's own connection, to the servers that the application connects to. */
final class PublisherConnections {

    private PublisherConnections() {}

    /** As Spring Boot makes the application's: from {@code spring.rabbitmq} or connection details, and customizers. */
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
                    "The connection to RabbitMQ cannot be set up from spring.rabbitmq.*: " + ex.getMessage() + ".",
                    "Correct spring.rabbitmq.*.");
        }
        customizers.forEach(customizer -> customizer.customize(client));
        CachingConnectionFactory factory = new CachingConnectionFactory(client);
        configurer.configure(factory);
        return factory;
    }

    /** Like one that the application made itself, with the same servers, credentials and TLS. */
    static CachingConnectionFactory like(ConnectionFactory application) {
        if (!(application instanceof AbstractConnectionFactory template)) {
            throw new InvalidDelayQueueSetupException(
                    "The application's RabbitMQ ConnectionFactory is a "
                            + application.getClass().getName()
                            + ", of which the delay queues cannot make a second one.",
                    "Declare a bean of type io.delayqueue.rabbit.RabbitPublisher with a CachingConnectionFactory of its"
                            + " own.");
        }
        CachingConnectionFactory factory = new CachingConnectionFactory(
                template.getRabbitConnectionFactory().clone());
        factory.setAddressResolver(new PublisherAddresses(template));
        return factory;
    }

    /** Boot's own subclass for SSL bundles is not accessible. */
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
            // asked for at each connection, because the bundle may have been reloaded
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
