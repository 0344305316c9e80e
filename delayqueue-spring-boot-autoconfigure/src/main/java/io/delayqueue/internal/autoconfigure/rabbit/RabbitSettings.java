// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.rabbit;

import io.delayqueue.internal.autoconfigure.failure.InvalidDelayQueueSetupException;
import io.delayqueue.internal.autoconfigure.settings.DelayQueueProperties;
import io.delayqueue.internal.autoconfigure.settings.PropertyRule;
import io.delayqueue.internal.autoconfigure.settings.QueueProperties;
import io.delayqueue.internal.input.DurationText;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.queue.QueueNames;
import io.delayqueue.internal.queue.QueueSettings;
import io.delayqueue.internal.rabbit.connection.RabbitPublisherOptions;
import io.delayqueue.internal.rabbit.intake.IntakeSettings;
import io.delayqueue.internal.rabbit.publisher.RabbitDeclaration;
import io.delayqueue.internal.rabbit.publisher.RabbitRoute;
import io.delayqueue.internal.rabbit.publisher.RabbitRoutes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.util.StringUtils;

/**
 * The validated RabbitMQ properties.
 *
 * @param options options of every publisher
 * @param routes routes of the tasks of each queue
 * @param deadLetterRoutes routes of dead tasks, by queue, for queues whose dead tasks this process forwards
 * @param declarations the declarations of all queues
 * @param connectionFactory name of the connection factory bean; null for the application's
 * @param needBroker whether a queue or an intake needs the broker
 * @param intakes the configured intakes, by name
 * @param foreignIntakes names of the intakes that only other processes run
 */
public record RabbitSettings(
        RabbitPublisherOptions options,
        RabbitRoutes routes,
        Map<String, RabbitRoute> deadLetterRoutes,
        List<RabbitDeclaration> declarations,
        @Nullable String connectionFactory,
        boolean needBroker,
        Map<String, IntakeSettings> intakes,
        Set<String> foreignIntakes) {

    /** @throws InvalidDelayQueueSetupException if properties contradict each other */
    public static RabbitSettings of(DelayQueueProperties properties, QueueCatalog queues) {
        Map<String, RabbitRoute> routes = new LinkedHashMap<>();
        Map<String, RabbitRoute> deadLetterRoutes = new LinkedHashMap<>();
        List<RabbitDeclaration> declarations = new ArrayList<>();
        boolean needBroker = !properties.intakeQueues().isEmpty();
        for (QueueSettings settings : queues.all()) {
            String name = settings.name();
            QueueProperties queue = properties.queue(name);
            QueueProperties.Rabbit rabbit = queue.rabbit();
            checkLease(settings, rabbit, properties.rabbit().confirmTimeout());
            routes.put(name, new RabbitRoute(rabbit.exchange(), rabbit.routingKey(), rabbit.countNacks()));
            needBroker |= rabbit.exchange() != null;
            String deadExchange = queue.dead().exchange();
            if (deadExchange != null && queue.trigger().autoStartup()) {
                deadLetterRoutes.put(
                        name, new RabbitRoute(deadExchange, queue.dead().routingKey()));
            }
            RabbitDeclaration declaration = declaration(name, rabbit);
            if (declaration != null) {
                declarations.add(declaration);
            }
        }
        return new RabbitSettings(
                options(properties.rabbit()),
                new RabbitRoutes(routes),
                deadLetterRoutes,
                declarations,
                properties.rabbit().connectionFactory(),
                needBroker || !deadLetterRoutes.isEmpty(),
                intakes(properties.rabbit().intake()),
                foreignIntakes(properties.rabbit().intake()));
    }

    private static Map<String, IntakeSettings> intakes(Map<String, DelayQueueProperties.Intake> intakes) {
        Map<String, IntakeSettings> settings = new LinkedHashMap<>();
        intakes.forEach((name, intake) -> settings.put(name, intake(name, intake)));
        return settings;
    }

    private static Set<String> foreignIntakes(Map<String, DelayQueueProperties.Intake> intakes) {
        return intakes.entrySet().stream()
                .filter(intake -> !intake.getValue().enabled())
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    /** Returns the intakes that this process runs. */
    public List<IntakeSettings> ownIntakes() {
        return intakes.values().stream()
                .filter(intake -> !foreignIntakes.contains(intake.name()))
                .toList();
    }

    /** Returns the intake of this name as configured, or with the defaults. */
    IntakeSettings intake(String name) {
        IntakeSettings configured = intakes.get(name);
        return configured != null
                ? configured
                : intake(
                        name,
                        new DelayQueueProperties.Intake(
                                true, null, null, null, DelayQueueProperties.Intake.DEFAULT_DELAY_QUEUE, false));
    }

    private static IntakeSettings intake(String name, DelayQueueProperties.Intake intake) {
        return new IntakeSettings(
                name,
                Objects.requireNonNullElse(intake.queue(), IntakeSettings.queueOf(name)),
                intake.delayQueue(),
                Objects.requireNonNullElse(intake.exchange(), IntakeSettings.exchangeOf(name)),
                intake.exchangeType(),
                Map.of(),
                intake.taskHeaders());
    }

    private static RabbitPublisherOptions options(DelayQueueProperties.Rabbit rabbit) {
        RabbitPublisherOptions builtIn = RabbitPublisherOptions.DEFAULT;
        return new RabbitPublisherOptions(
                rabbit.confirmTimeout(),
                builtIn.rpcTimeout(),
                builtIn.connectionTimeout(),
                builtIn.heartbeat(),
                builtIn.longestPause(),
                builtIn.connectionName());
    }

    /**
     * Checks that the lease is long enough. Otherwise, another process would publish a task again while its confirm is
     * outstanding.
     */
    private static void checkLease(QueueSettings queue, QueueProperties.Rabbit rabbit, Duration confirmTimeout) {
        if (rabbit.exchange() != null && queue.lease().compareTo(confirmTimeout.multipliedBy(2)) < 0) {
            throw PropertyRule.refusal(
                    property(queue.name(), "lease"),
                    queue.lease(),
                    "at least twice delayqueue.rabbit.confirm-timeout (" + DurationText.of(confirmTimeout)
                            + "), so that another process does not publish a task while its confirm is "
                            + "outstanding");
        }
    }

    private static @Nullable RabbitDeclaration declaration(String queue, QueueProperties.Rabbit rabbit) {
        QueueProperties.Declare declare = rabbit.declare();
        String brokersQueue = StringUtils.hasText(declare.queue()) ? declare.queue() : null;
        if (!StringUtils.hasText(declare.exchangeType())) {
            if (brokersQueue != null) {
                throw missing(queue, "rabbit.declare.exchange-type", "rabbit.declare.queue", "as 'direct'");
            }
            return null;
        }
        if (rabbit.exchange() == null || rabbit.exchange().isEmpty()) {
            throw missing(queue, "rabbit.exchange", "rabbit.declare.exchange-type", "the name of the exchange");
        }
        String routingKey = Objects.requireNonNullElse(rabbit.routingKey(), queue);
        return new RabbitDeclaration(
                rabbit.exchange(),
                Objects.requireNonNull(declare.exchangeType()),
                brokersQueue,
                Objects.requireNonNullElse(declare.bindingKey(), routingKey));
    }

    private static InvalidDelayQueueSetupException missing(
            String queue, String path, String becauseOf, String example) {
        return new InvalidDelayQueueSetupException(
                property(queue, becauseOf),
                "The property " + property(queue, path) + " is missing, but " + property(queue, becauseOf)
                        + " requires a declaration on the broker.",
                "Set " + property(queue, path) + ", " + example + ", or remove " + property(queue, becauseOf) + ".");
    }

    /** Returns the full name of a property of a queue. */
    static String property(String queue, String path) {
        return QueueNames.property(queue) + "." + path;
    }
}
