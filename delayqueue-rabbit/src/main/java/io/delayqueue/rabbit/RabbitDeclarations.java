// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.amqp.AmqpException;
import org.springframework.amqp.core.AmqpAdmin;
import org.springframework.amqp.core.Binding;
import org.springframework.amqp.core.BindingBuilder;
import org.springframework.amqp.core.CustomExchange;
import org.springframework.amqp.core.Exchange;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.core.QueueBuilder;
import org.springframework.amqp.rabbit.connection.Connection;
import org.springframework.amqp.rabbit.connection.ConnectionListener;
import org.springframework.amqp.rabbit.core.RabbitAdmin;
import org.springframework.core.NestedExceptionUtils;

/**
 * Declares exchanges, queues and bindings, those it was given and nothing else, whenever the publisher has connected
 * and before it publishes. A declaration that the broker refuses, such as for a queue that exists with other arguments,
 * is logged as an error and changes nothing; the others go on.
 */
public final class RabbitDeclarations implements ConnectionListener {

    private static final Logger log = LoggerFactory.getLogger(RabbitDeclarations.class);

    private final List<RabbitDeclaration> declarations;
    private final AmqpAdmin admin;
    private final ThreadLocal<Boolean> declaring = ThreadLocal.withInitial(() -> false);

    private RabbitDeclarations(List<RabbitDeclaration> declarations, AmqpAdmin admin) {
        this.declarations = List.copyOf(declarations);
        this.admin = admin;
    }

    /** Declares on each new connection of the publisher. To be called before it first connects. */
    public static RabbitDeclarations register(RabbitPublisher publisher, List<RabbitDeclaration> declarations) {
        RabbitAdmin admin = new RabbitAdmin(publisher.connectionFactory());
        admin.setAutoStartup(false);
        RabbitDeclarations registered = new RabbitDeclarations(declarations, admin);
        publisher.connectionFactory().addConnectionListener(registered);
        return registered;
    }

    /** Called by the connection factory. */
    @Override
    public void onCreate(@Nullable Connection connection) {
        if (declaring.get()) {
            // A broker that closed the connection over a declaration: the client connects again within that very call.
            return;
        }
        declaring.set(true);
        try {
            declarations.forEach(this::declare);
        } finally {
            declaring.remove();
        }
    }

    private void declare(RabbitDeclaration declaration) {
        try {
            Exchange exchange = new CustomExchange(declaration.exchange(), declaration.exchangeType(), true, false);
            admin.declareExchange(exchange);
            if (declaration.queue() != null) {
                Queue queue = queue(declaration.queue(), declaration);
                admin.declareQueue(queue);
                Binding binding = BindingBuilder.bind(queue)
                        .to(exchange)
                        .with(declaration.bindingKey())
                        .noargs();
                admin.declareBinding(binding);
            }
            log.info("Declared exchange '{}' and queue '{}' on RabbitMQ", declaration.exchange(), declaration.queue());
        } catch (AmqpException ex) {
            log.error(
                    "Cannot declare exchange '{}' and queue '{}' on RabbitMQ; check whether they exist with other"
                            + " settings, and whether the user has the rights that docs/security.md names: {}",
                    declaration.exchange(),
                    declaration.queue(),
                    NestedExceptionUtils.getMostSpecificCause(ex).getMessage());
        }
    }

    private static Queue queue(String name, RabbitDeclaration declaration) {
        QueueBuilder queue = QueueBuilder.durable(name).withArguments(declaration.queueArguments());
        return (declaration.quorum() ? queue.quorum() : queue).build();
    }
}
