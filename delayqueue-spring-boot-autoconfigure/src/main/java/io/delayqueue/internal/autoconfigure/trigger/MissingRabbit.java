// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.trigger;

import io.delayqueue.autoconfigure.DelayQueueAutoConfiguration;
import io.delayqueue.autoconfigure.DelayQueueProperties;
import io.delayqueue.autoconfigure.DelayQueueRabbitAutoConfiguration;
import io.delayqueue.internal.autoconfigure.failure.InvalidDelayQueueSetupException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionEvaluationReport;
import org.springframework.util.ClassUtils;

/**
 * Why an application has nothing that delivers to RabbitMQ. It may be meant, by a property or because a test loads a
 * slice of the application. Otherwise an exchange in the properties cannot be served, and the real cause is named: a
 * library that is missing, an exclusion, or a condition.
 */
final class MissingRabbit {

    private static final String TRIGGER = "io.delayqueue.rabbit.RabbitScanTrigger";
    private static final String RABBIT_TEMPLATE = "org.springframework.amqp.rabbit.core.RabbitTemplate";
    private static final String BOOTS = "org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration";
    private static final String OURS = DelayQueueRabbitAutoConfiguration.class.getName();

    private final boolean turnedOff;
    private final @Nullable ConditionEvaluationReport report;
    private final @Nullable ClassLoader classLoader;

    /** @param report what Spring Boot has decided; null or empty where that was done by an ahead-of-time build */
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

    /** Why queues with an exchange are to wait for another process; null if that is not meant. */
    @Nullable
    String intention() {
        if (turnedOff) {
            return "delayqueue.rabbit.enabled is false";
        }
        boolean isPart = isExcluded(OURS) || isDecided(OURS) || !isDecided(DelayQueueAutoConfiguration.class.getName());
        return isPart ? null : "this context, as of a test slice, is without " + OURS;
    }

    /**
     * Refuses an exchange that is not meant to wait.
     *
     * @param exchange property that names it
     * @param purpose what goes there
     */
    InvalidDelayQueueSetupException refusal(String exchange, String purpose) {
        if (!ClassUtils.isPresent(TRIGGER, classLoader)) {
            return new InvalidDelayQueueSetupException(
                    exchange,
                    "The property " + exchange + " sends " + purpose
                            + " to RabbitMQ, but delayqueue-rabbit is not on the class path.",
                    "Add io.delayqueue:delayqueue-rabbit, or remove " + exchange
                            + ", or set delayqueue.rabbit.enabled to false where another process delivers to RabbitMQ.");
        }
        Cause cause = cause();
        return new InvalidDelayQueueSetupException(
                exchange,
                "The property " + exchange + " sends " + purpose
                        + " to RabbitMQ, but the application has no RabbitMQ ConnectionFactory: " + cause.what() + ".",
                cause.action() + ", or remove " + exchange
                        + ", or set delayqueue.rabbit.enabled to false where another process delivers to RabbitMQ.");
    }

    private Cause cause() {
        if (!ClassUtils.isPresent(RABBIT_TEMPLATE, classLoader) || !ClassUtils.isPresent(BOOTS, classLoader)) {
            return new Cause(
                    "spring-rabbit, or Spring Boot's module for it, is not on the class path",
                    "Add spring-boot-starter-amqp");
        }
        for (String configuration : new String[] {BOOTS, OURS}) {
            if (isExcluded(configuration)) {
                return new Cause(
                        configuration + " is excluded, by spring.autoconfigure.exclude or by an annotation",
                        "Remove the exclusion");
            }
        }
        if (report != null && isDecided(OURS) && !isDecided(BOOTS)) {
            return new Cause(
                    BOOTS + " is not part of this context, and no bean of that type is declared",
                    "Import it, or declare a ConnectionFactory");
        }
        return new Cause(
                "no bean of that type was there when the auto-configuration " + OURS + " was decided on"
                        + outcome(BOOTS),
                "Let Spring Boot make one, or declare one in a configuration");
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
