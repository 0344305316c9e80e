// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.trigger;

import io.delayqueue.autoconfigure.DelayQueueAutoConfiguration;
import io.delayqueue.autoconfigure.DelayQueueRabbitAutoConfiguration;
import io.delayqueue.internal.autoconfigure.failure.InvalidDelayQueueSetupException;
import io.delayqueue.internal.autoconfigure.settings.DelayQueueProperties;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionEvaluationReport;
import org.springframework.util.ClassUtils;

/**
 * Explains why an application cannot deliver to RabbitMQ. This may be intended, by a property or because a test loads a
 * slice of the application. Otherwise an exchange in the properties is an error. The message then names the cause: a
 * missing library, an exclusion, or a condition.
 */
final class MissingRabbit {

    private static final String TRIGGER = "io.delayqueue.rabbit.RabbitScanTrigger";
    private static final String RABBIT_TEMPLATE = "org.springframework.amqp.rabbit.core.RabbitTemplate";
    private static final String BOOTS = "org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration";
    private static final String OURS = DelayQueueRabbitAutoConfiguration.class.getName();

    private final boolean turnedOff;
    private final @Nullable ConditionEvaluationReport report;
    private final @Nullable ClassLoader classLoader;

    /** @param report Spring Boot's condition results; null or empty after an ahead-of-time build */
    MissingRabbit(
            DelayQueueProperties properties,
            @Nullable ConditionEvaluationReport report,
            @Nullable ClassLoader classLoader) {
        this.turnedOff = !properties.rabbit().enabled();
        this.report = report;
        this.classLoader = classLoader;
    }

    static MissingRabbit of(BeanFactory beanFactory, DelayQueueProperties properties, @Nullable ClassLoader loader) {
        return new MissingRabbit(properties, ConditionEvaluationReport.find(beanFactory), loader);
    }

    /** Returns why queues with an exchange should wait for another process; null if this is not intended. */
    @Nullable
    String intention() {
        if (turnedOff) {
            return "delayqueue.rabbit.enabled is false";
        }
        boolean isPart = isExcluded(OURS) || isDecided(OURS) || !isDecided(DelayQueueAutoConfiguration.class.getName());
        return isPart ? null : "this context, for example a test slice, does not include " + OURS;
    }

    /**
     * Returns the exception for an exchange that should not wait.
     *
     * @param exchange property with the exchange
     * @param purpose what would be sent there
     */
    InvalidDelayQueueSetupException refusal(String exchange, String purpose) {
        if (!ClassUtils.isPresent(TRIGGER, classLoader)) {
            return new InvalidDelayQueueSetupException(
                    exchange,
                    "The property " + exchange + " sends " + purpose
                            + " to RabbitMQ, but delayqueue-rabbit is not on the class path.",
                    "Add io.delayqueue:delayqueue-rabbit, or remove " + exchange
                            + ", or set delayqueue.rabbit.enabled to false if another process delivers "
                            + "to RabbitMQ.");
        }
        Cause cause = cause();
        return new InvalidDelayQueueSetupException(
                exchange,
                "The property " + exchange + " sends " + purpose
                        + " to RabbitMQ, but the application has no RabbitMQ ConnectionFactory: " + cause.what() + ".",
                cause.action() + ", or remove " + exchange
                        + ", or set delayqueue.rabbit.enabled to false if another process delivers to "
                        + "RabbitMQ.");
    }

    private Cause cause() {
        if (!ClassUtils.isPresent(RABBIT_TEMPLATE, classLoader) || !ClassUtils.isPresent(BOOTS, classLoader)) {
            return new Cause(
                    "spring-rabbit or its Spring Boot module is not on the class path", "Add spring-boot-starter-amqp");
        }
        for (String configuration : new String[] {BOOTS, OURS}) {
            if (isExcluded(configuration)) {
                return new Cause(
                        configuration + " is excluded by spring.autoconfigure.exclude or by an annotation",
                        "Remove the exclusion");
            }
        }
        if (report != null && isDecided(OURS) && !isDecided(BOOTS)) {
            return new Cause(
                    BOOTS + " is not part of this context, and no ConnectionFactory bean is declared",
                    "Import it, or declare a ConnectionFactory");
        }
        return new Cause(
                "no ConnectionFactory bean existed when the auto-configuration " + OURS + " was evaluated"
                        + outcome(BOOTS),
                "Let Spring Boot create a ConnectionFactory, or declare it in a configuration class");
    }

    private String outcome(String configuration) {
        if (report == null || !isDecided(configuration)) {
            return "";
        }
        StringBuilder unmet = new StringBuilder();
        Objects.requireNonNull(report.getConditionAndOutcomesBySource().get(configuration))
                .forEach(condition -> {
                    if (!condition.getOutcome().isMatch()) {
                        unmet.append(", and of ")
                                .append(configuration)
                                .append(": ")
                                .append(condition.getOutcome().getMessage());
                    }
                });
        return unmet.toString();
    }

    private boolean isExcluded(String configuration) {
        return report != null && report.getExclusions().contains(configuration);
    }

    private boolean isDecided(String configuration) {
        return report != null && report.getConditionAndOutcomesBySource().containsKey(configuration);
    }

    private record Cause(String what, String action) {}
}
