// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.publisher;

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
import org.springframework.amqp.rabbit.connection.Connection;
import org.springframework.amqp.rabbit.connection.ConnectionListener;
import org.springframework.amqp.rabbit.core.RabbitAdmin;
import org.springframework.core.NestedExceptionUtils;

/**
 * Declares the given exchanges, queues and bindings on each new connection of the publisher, before it publishes. If
 * the broker refuses a declaration, for example because a queue exists with other arguments, logs an error and
 * continues with the other declarations.
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

    /** Registers the declarations for each new connection of the publisher. Call this before the publisher connects. */
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
            // A declaration made the broker close the connection, and the client reconnected within this call.
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
                Queue queue = new Queue(declaration.queue());
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
                    "Could not declare exchange '{}' and queue '{}' on RabbitMQ. Check whether they "
                            + "exist with other settings, and whether the user has the permissions listed in "
                            + "docs/security.md: {}",
                    declaration.exchange(),
                    declaration.queue(),
                    NestedExceptionUtils.getMostSpecificCause(ex).getMessage());
        }
    }
}
