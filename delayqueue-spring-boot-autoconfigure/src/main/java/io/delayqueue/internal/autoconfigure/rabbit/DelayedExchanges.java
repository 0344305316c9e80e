// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.rabbit;

import com.rabbitmq.client.ShutdownSignalException;
import io.delayqueue.internal.autoconfigure.failure.InvalidDelayQueueSetupException;
import io.delayqueue.internal.rabbit.intake.IntakeSettings;
import io.delayqueue.internal.rabbit.intake.IntakeTopology;
import io.delayqueue.internal.rabbit.publisher.RabbitPublisher;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.amqp.AmqpException;
import org.springframework.amqp.core.Binding;
import org.springframework.amqp.core.Declarable;
import org.springframework.amqp.core.DeclarableCustomizer;
import org.springframework.amqp.core.Declarables;
import org.springframework.amqp.core.Exchange;
import org.springframework.amqp.core.FanoutExchange;
import org.springframework.amqp.rabbit.core.RabbitAdmin;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.NestedExceptionUtils;

/**
 * Declares the delayed exchanges of an application as intakes: a fanout exchange for the intake's queue, and an
 * exchange of the original type for the bindings. A {@code RabbitAdmin} declares the exchanges before the bindings.
 */
public final class DelayedExchanges implements DeclarableCustomizer, SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(DelayedExchanges.class);
    private static final String PLUGIN_TYPE = "x-delayed-message";
    private static final String PLUGIN_ARGUMENT = "x-delayed-type";
    private static final String PROPERTY = "delayqueue.rabbit.replace-delayed-exchanges";
    private static final int PRECONDITION_FAILED = 406;

    private final ListableBeanFactory beans;
    private final RabbitSettings settings;
    private final RabbitPublisher publisher;
    private final RabbitIntakes intakes;
    private final Map<String, IntakeSettings> replaced = new ConcurrentHashMap<>();
    private volatile boolean running;

    /** @param publisher publisher on whose connection the declarations are made */
    public DelayedExchanges(
            ListableBeanFactory beans, RabbitSettings settings, RabbitPublisher publisher, RabbitIntakes intakes) {
        this.beans = beans;
        this.settings = settings;
        this.publisher = publisher;
        this.intakes = intakes;
    }

    @Override
    public Declarable apply(Declarable declarable) {
        if (!isForOurBroker(declarable)) {
            return declarable;
        }
        if (declarable instanceof Exchange exchange && isDelayed(exchange)) {
            declare(replacement(exchange));
            return new FanoutExchange(exchange.getName(), true, false);
        }
        if (declarable instanceof Binding binding) {
            IntakeSettings intake = replaced.get(binding.getExchange());
            return intake == null ? binding : moved(binding, intake.exchange());
        }
        return declarable;
    }

    /** Returns whether a declaration is for the library's broker, and does not name the admin of another broker. */
    private boolean isForOurBroker(Declarable declarable) {
        return declarable.getDeclaringAdmins().isEmpty()
                || declarable.getDeclaringAdmins().stream().anyMatch(this::isOfOurBroker);
    }

    private boolean isOfOurBroker(Object admin) {
        Object named = (admin instanceof String name && beans.containsBean(name)) ? beans.getBean(name) : admin;
        return !(named instanceof RabbitAdmin known)
                || known.getRabbitTemplate().getConnectionFactory()
                        == new PublisherConnections(beans, settings).application();
    }

    private static boolean isDelayed(Exchange exchange) {
        return exchange.isDelayed() || exchange.getType().equals(PLUGIN_TYPE);
    }

    private static Binding moved(Binding binding, String exchange) {
        return new Binding(
                Objects.requireNonNull(binding.getDestination()),
                binding.getDestinationType(),
                exchange,
                Objects.requireNonNullElse(binding.getRoutingKey(), ""),
                binding.getArguments());
    }

    /** Returns the intake that replaces an exchange. The intake runs in this process, unless a property disables it. */
    private IntakeSettings replacement(Exchange exchange) {
        IntakeSettings intake = replaced.computeIfAbsent(exchange.getName(), name -> intakeFor(exchange));
        if (!settings.foreignIntakes().contains(exchange.getName())) {
            intakes.add(intake);
        }
        return intake;
    }

    private IntakeSettings intakeFor(Exchange exchange) {
        Map<String, Object> arguments = new HashMap<>();
        if (exchange.getArguments() != null) {
            arguments.putAll(exchange.getArguments());
        }
        Object delayedType = arguments.remove(PLUGIN_ARGUMENT);
        String type = exchange.isDelayed() ? exchange.getType() : String.valueOf(delayedType);
        return settings.intake(exchange.getName()).declaredAs(type, arguments);
    }

    private void declare(IntakeSettings intake) {
        try {
            IntakeTopology.declare(
                    publisher.connectionFactory().createConnection().getDelegate(), intake);
        } catch (IOException | ShutdownSignalException ex) {
            String reason =
                    String.valueOf(NestedExceptionUtils.getMostSpecificCause(ex).getMessage());
            if (IntakeTopology.replyCode(ex) == PRECONDITION_FAILED) {
                throw new InvalidDelayQueueSetupException(
                        PROPERTY,
                        "The exchange '" + intake.name() + "' cannot be replaced by an intake, because an exchange that"
                                + " it needs exists on the broker with another type or other arguments: " + reason
                                + ".",
                        "Wait until that exchange has delivered its delayed messages. Then delete it, as with"
                                + " 'rabbitmqadmin delete exchange name=" + intake.name()
                                + "', and start the application again.");
            }
            throw new AmqpException("Cannot declare the intake of the exchange '" + intake.name() + "': " + reason, ex);
        }
    }

    /**
     * Checks the exchanges. The application does not start if an exchange on the broker has another type. It starts if
     * the broker is down.
     */
    @Override
    public void start() {
        running = true;
        declared(beans, Exchange.class)
                .filter(DelayedExchanges::isDelayed)
                .filter(this::isForOurBroker)
                .forEach(exchange -> {
                    IntakeSettings intake = replacement(exchange);
                    try {
                        declare(intake);
                    } catch (AmqpException ex) {
                        log.warn(
                                "Could not declare exchange '{}' as an intake; retrying with the next connection: {}",
                                exchange.getName(),
                                ex.getMessage());
                    }
                });
    }

    /** Returns the declarations of a type, from separate beans and from collections. */
    static <T extends Declarable> Stream<T> declared(ListableBeanFactory beans, Class<T> type) {
        return Stream.concat(
                beans.getBeansOfType(type).values().stream(),
                beans.getBeansOfType(Declarables.class, false, true).values().stream()
                        .flatMap(all -> all.getDeclarablesByType(type).stream()));
    }

    @Override
    public void stop() {
        running = false;
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** Returns a phase before the listener containers and the intakes. */
    @Override
    public int getPhase() {
        return DEFAULT_PHASE - 10_000;
    }
}
