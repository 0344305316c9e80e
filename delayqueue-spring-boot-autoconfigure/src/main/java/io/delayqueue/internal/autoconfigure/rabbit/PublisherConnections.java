// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.rabbit;

import io.delayqueue.internal.autoconfigure.failure.InvalidDelayQueueSetupException;
import io.delayqueue.internal.autoconfigure.settings.PropertyRule;
import io.delayqueue.internal.rabbit.intake.IntakeConnection;
import io.delayqueue.internal.rabbit.publisher.RabbitDeclarations;
import io.delayqueue.internal.rabbit.publisher.RabbitPublisher;
import io.delayqueue.rabbit.RabbitRouter;
import io.delayqueue.rabbit.RabbitScanTrigger;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.rabbit.connection.AbstractConnectionFactory;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;

/**
 * Creates the library's own connections to the application's broker, with the servers, credentials and TLS of the
 * application's connection factory.
 */
public record PublisherConnections(ListableBeanFactory beans, RabbitSettings settings) {

    static final String PROPERTY = "delayqueue.rabbit.connection-factory";

    /** Returns the publisher, or null if neither a property nor a bean needs a broker. */
    public @Nullable RabbitPublisher publisher() {
        if (!settings.needBroker() && !has(RabbitScanTrigger.class) && !has(RabbitRouter.class)) {
            return null;
        }
        RabbitPublisher publisher = new RabbitPublisher(copy(), settings.options());
        if (!settings.declarations().isEmpty()) {
            RabbitDeclarations.register(publisher, settings.declarations());
        }
        return publisher;
    }

    /** Returns a connection for intakes. */
    public IntakeConnection intakes() {
        return new IntakeConnection(copy(), settings.options());
    }

    private boolean has(Class<?> type) {
        return beans.getBeanNamesForType(type, true, false).length > 0;
    }

    private CachingConnectionFactory copy() {
        ConnectionFactory application = application();
        if (!(application instanceof AbstractConnectionFactory template)) {
            throw new InvalidDelayQueueSetupException(
                    "The application's RabbitMQ ConnectionFactory is a "
                            + application.getClass().getName()
                            + ", which the delay queues cannot copy.",
                    "Declare a CachingConnectionFactory bean with @Bean(defaultCandidate = false), and name it in "
                            + PROPERTY + ".");
        }
        CachingConnectionFactory factory = new CachingConnectionFactory(
                template.getRabbitConnectionFactory().clone());
        factory.setAddressResolver(new PublisherAddresses(template));
        return factory;
    }

    /** Returns the application's connection factory for the broker of the delay queues. */
    ConnectionFactory application() {
        String name = settings.connectionFactory();
        if (name != null) {
            return named(name);
        }
        ConnectionFactory only = beans.getBeanProvider(ConnectionFactory.class).getIfUnique();
        if (only == null) {
            throw new InvalidDelayQueueSetupException(
                    "The delay queues need one RabbitMQ ConnectionFactory, but there are " + names().size()
                            + ", and none is primary.",
                    "Mark one as @Primary, or set " + PROPERTY + ".");
        }
        return only;
    }

    private ConnectionFactory named(String name) {
        try {
            return BeanFactoryAnnotationUtils.qualifiedBeanOfType(beans, ConnectionFactory.class, name);
        } catch (NoSuchBeanDefinitionException ex) {
            throw PropertyRule.refusal(
                    PROPERTY, name, "the name or qualifier of one RabbitMQ ConnectionFactory among " + names());
        }
    }

    private List<String> names() {
        return List.of(beans.getBeanNamesForType(ConnectionFactory.class, true, false));
    }
}
