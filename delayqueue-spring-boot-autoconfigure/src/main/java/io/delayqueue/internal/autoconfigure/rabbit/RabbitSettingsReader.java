// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.rabbit;

import static io.delayqueue.internal.autoconfigure.settings.PropertyValue.within;

import io.delayqueue.autoconfigure.DelayQueueProperties;
import io.delayqueue.autoconfigure.QueueProperties;
import io.delayqueue.internal.autoconfigure.failure.InvalidDelayQueueSetupException;
import io.delayqueue.internal.autoconfigure.settings.PropertyValue;
import io.delayqueue.internal.autoconfigure.settings.QueueValues;
import io.delayqueue.queue.QueueCatalog;
import io.delayqueue.queue.QueueSettings;
import io.delayqueue.rabbit.RabbitDeclaration;
import io.delayqueue.rabbit.RabbitMessageSettings;
import io.delayqueue.rabbit.RabbitPublisherOptions;
import io.delayqueue.rabbit.RabbitRoute;
import io.delayqueue.rabbit.RabbitRoutes;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Turns what the properties say about RabbitMQ into routes, declarations and options, and refuses what cannot work. */
public final class RabbitSettingsReader {

    private static final int LONGEST_NAME = 255;

    /** How the names of those arguments of a queue begin that RabbitMQ takes as text. */
    private static final List<String> TEXT_ARGUMENTS = List.of("x-dead-letter-", "x-overflow", "x-queue-");

    private final DelayQueueProperties properties;

    public RabbitSettingsReader(DelayQueueProperties properties) {
        this.properties = properties;
    }

    public RabbitPublisherOptions options() {
        DelayQueueProperties.Rabbit rabbit = properties.rabbit();
        return new RabbitPublisherOptions(
                within(publisherConfirmTimeout(), RabbitPublisherOptions.CONFIRM_TIMEOUT),
                within(value("rpc-timeout", rabbit.rpcTimeout()), RabbitPublisherOptions.ANSWER_TIMEOUT),
                within(value("connection-timeout", rabbit.connectionTimeout()), RabbitPublisherOptions.ANSWER_TIMEOUT),
                within(value("heartbeat", rabbit.heartbeat()), RabbitPublisherOptions.HEARTBEAT),
                within(value("longest-pause", rabbit.longestPause()), RabbitPublisherOptions.LONGEST_PAUSE),
                value("connection-name", rabbit.connectionName())
                        .require(name -> !name.isBlank() && name.length() <= 200, "1 to 200 characters"));
    }

    public RabbitRoutes routes(QueueCatalog queues) {
        Map<String, RabbitRoute> routes = new LinkedHashMap<>();
        for (QueueSettings settings : queues.all()) {
            QueueValues queue = values(settings.name());
            checkConfirmTimeout(queue, settings.lease());
            PropertyValue<Duration> confirmTimeout =
                    queue.find("rabbit.confirm-timeout", q -> q.rabbit().confirmTimeout());
            routes.put(
                    settings.name(),
                    new RabbitRoute(
                            name(queue, "rabbit.exchange", q -> q.rabbit().exchange()),
                            name(queue, "rabbit.routing-key", q -> q.rabbit().routingKey()),
                            (confirmTimeout == null) ? null : confirmTimeout.value(),
                            queue.get("rabbit.count-nacks", q -> q.rabbit().countNacks(), false)
                                    .value(),
                            message(queue)));
        }
        return new RabbitRoutes(routes);
    }

    private static RabbitMessageSettings message(QueueValues queue) {
        PropertyValue<Integer> priority =
                queue.find("rabbit.message.priority", q -> q.rabbit().message().priority());
        PropertyValue<Duration> expiration = queue.find(
                "rabbit.message.expiration", q -> q.rabbit().message().expiration());
        return new RabbitMessageSettings(
                name(
                        queue,
                        "rabbit.message.content-type",
                        q -> q.rabbit().message().contentType()),
                name(queue, "rabbit.message.type", q -> q.rabbit().message().type()),
                priority == null ? null : within(priority, RabbitMessageSettings.PRIORITY),
                expiration == null ? null : within(expiration, RabbitMessageSettings.EXPIRATION));
    }

    /** The connection factory of all queues that name none, if it is said; else that of the application is meant. */
    @Nullable
    PropertyValue<String> commonConnectionFactory() {
        String name = properties.defaults().rabbit().connectionFactory();
        return (name == null) ? null : new PropertyValue<>("delayqueue.defaults.rabbit.connection-factory", name);
    }

    /** The connection factory that this queue names, if that is another one than that of all queues. */
    @Nullable
    PropertyValue<String> ownConnectionFactory(String queue) {
        QueueValues values = values(queue);
        String name = values.own().rabbit().connectionFactory();
        if (name == null || name.equals(values.defaults().rabbit().connectionFactory())) {
            return null;
        }
        return new PropertyValue<>(values.property("rabbit.connection-factory"), name);
    }

    /** The routes of the queues whose dead tasks this process forwards. */
    public Map<String, RabbitRoute> deadLetterRoutes(QueueCatalog queues) {
        Map<String, RabbitRoute> routes = new LinkedHashMap<>();
        for (String name : queues.names()) {
            QueueValues queue = values(name);
            String exchange = name(queue, "dead.exchange", q -> q.dead().exchange());
            boolean delivers = queue.get("trigger.enabled", q -> q.trigger().enabled(), true)
                    .value();
            if (exchange != null && delivers) {
                PropertyValue<Duration> confirmTimeout =
                        queue.find("rabbit.confirm-timeout", q -> q.rabbit().confirmTimeout());
                routes.put(
                        name,
                        new RabbitRoute(
                                exchange,
                                name(queue, "dead.routing-key", q -> q.dead().routingKey()),
                                (confirmTimeout == null) ? null : confirmTimeout.value()));
            }
        }
        return routes;
    }

    /** What AMQP cannot name would only show in the tasks, each of them dead. */
    private static @Nullable String name(
            QueueValues queue, String path, Function<QueueProperties, @Nullable String> value) {
        PropertyValue<String> configured = queue.find(path, value);
        return (configured == null)
                ? null
                : configured.require(
                        name -> name.getBytes(StandardCharsets.UTF_8).length <= LONGEST_NAME,
                        "at most " + LONGEST_NAME + " bytes long, as AMQP allows");
    }

    /** A lease that ends first would let a task go out again while its confirm is still under way. */
    private void checkConfirmTimeout(QueueValues queue, Duration lease) {
        PropertyValue<Duration> own =
                queue.find("rabbit.confirm-timeout", q -> q.rabbit().confirmTimeout());
        PropertyValue<Duration> confirmTimeout = (own != null) ? own : publisherConfirmTimeout();
        within(confirmTimeout, RabbitPublisherOptions.CONFIRM_TIMEOUT);
        boolean published =
                own != null || queue.find("rabbit.exchange", q -> q.rabbit().exchange()) != null;
        if (published && lease.compareTo(confirmTimeout.value().multipliedBy(2)) < 0) {
            String property = queue.get("lease", QueueProperties::lease, lease).name();
            throw new InvalidDelayQueueSetupException(
                    property,
                    "The property " + property + " is '" + PropertyValue.shown(lease)
                            + "', but must be at least twice the confirm time-out " + confirmTimeout.name() + " ("
                            + PropertyValue.shown(confirmTimeout.value())
                            + "): else a task would be published again while its confirm is still under way.",
                    "Set " + property + " to several times the confirm time-out, or lower " + confirmTimeout.name()
                            + ".");
        }
    }

    /** What to declare for each queue that asks for it. */
    public Map<String, RabbitDeclaration> declarations(QueueCatalog queues) {
        Map<String, RabbitDeclaration> declarations = new LinkedHashMap<>();
        for (String name : queues.names()) {
            QueueValues queue = values(name);
            String type = queue.text(
                    "rabbit.declare.exchange-type", q -> q.rabbit().declare().exchangeType());
            String declared =
                    queue.text("rabbit.declare.queue", q -> q.rabbit().declare().queue());
            if (type == null || type.isBlank()) {
                if (declared != null) {
                    throw missing(queue, "rabbit.declare.exchange-type", "rabbit.declare.queue", "as 'direct'");
                }
                continue;
            }
            String exchange = name(queue, "rabbit.exchange", q -> q.rabbit().exchange());
            if (exchange == null || exchange.isEmpty()) {
                throw missing(queue, "rabbit.exchange", "rabbit.declare.exchange-type", "the name of the exchange");
            }
            String routingKey =
                    name(queue, "rabbit.routing-key", q -> q.rabbit().routingKey());
            String bindingKey = queue.text(
                    "rabbit.declare.binding-key", q -> q.rabbit().declare().bindingKey());
            PropertyValue<Map<String, String>> arguments = queue.find(
                    "rabbit.declare.queue-arguments", q -> q.rabbit().declare().queueArguments());
            RabbitDeclaration declaration = new RabbitDeclaration(
                    exchange,
                    type,
                    (declared == null || declared.isBlank()) ? null : declared,
                    (bindingKey != null) ? bindingKey : (routingKey != null) ? routingKey : name,
                    queue.get("rabbit.declare.quorum", q -> q.rabbit().declare().quorum(), false)
                            .value(),
                    (arguments == null) ? Map.of() : typed(arguments.value()));
            declarations.put(name, declaration);
        }
        return declarations;
    }

    /**
     * Properties are text. The broker wants numbers for limits such as {@code x-max-length}, truth values for switches
     * such as {@code x-single-active-consumer}, and text for names and strategies, whatever they look like.
     */
    private static Map<String, Object> typed(Map<String, String> arguments) {
        Map<String, Object> typed = new LinkedHashMap<>();
        arguments.forEach((name, value) -> typed.put(name, typed(name, value)));
        return typed;
    }

    private static Object typed(String name, String value) {
        if (TEXT_ARGUMENTS.stream().anyMatch(name::startsWith)) {
            return value;
        }
        if (value.equals("true") || value.equals("false")) {
            return Boolean.valueOf(value);
        }
        return value.matches("-?[0-9]{1,18}") ? Long.valueOf(value) : value;
    }

    private static InvalidDelayQueueSetupException missing(
            QueueValues queue, String path, String becauseOf, String example) {
        String property = queue.property(path);
        return new InvalidDelayQueueSetupException(
                property,
                "The property " + property + " is missing, but " + queue.property(becauseOf)
                        + " asks for a declaration on the broker.",
                "Set " + property + ", " + example + ", or remove " + queue.property(becauseOf) + ".");
    }

    private PropertyValue<Duration> publisherConfirmTimeout() {
        return value("confirm-timeout", properties.rabbit().confirmTimeout());
    }

    private static <T> PropertyValue<T> value(String name, T value) {
        return new PropertyValue<>("delayqueue.rabbit." + name, value);
    }

    private QueueValues values(String queue) {
        return new QueueValues(
                queue, properties.queues().getOrDefault(queue, QueueProperties.EMPTY), properties.defaults());
    }
}
