// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.trigger;

import io.delayqueue.autoconfigure.DelayQueueAutoConfiguration;
import io.delayqueue.autoconfigure.DelayQueueRabbitAutoConfiguration;
import io.delayqueue.internal.autoconfigure.failure.InvalidDelayQueueSetupException;
import io.delayqueue.internal.autoconfigure.settings.DelayQueueProperties;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionEvaluationReport;

/**
 * Explains why an application cannot deliver to RabbitMQ. This is intended if a property disables RabbitMQ or a test
 * loads only a slice of the application. Otherwise, an exchange in the properties is an error.
 */
final class MissingRabbit {

    private static final String BOOTS = "org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration";
    private static final String OURS = DelayQueueRabbitAutoConfiguration.class.getName();

    private final boolean turnedOff;
    private final @Nullable ConditionEvaluationReport report;

    /** @param report Spring Boot's condition results; null or empty after ahead-of-time processing */
    MissingRabbit(DelayQueueProperties properties, @Nullable ConditionEvaluationReport report) {
        this.turnedOff = !properties.rabbit().enabled();
        this.report = report;
    }

    /** Returns the reason why queues with an exchange should wait for another process; null if this is not intended. */
    @Nullable
    String intention() {
        if (turnedOff) {
            return "delayqueue.rabbit.enabled is false";
        }
        boolean isPart = report == null
                || report.getExclusions().contains(OURS)
                || isDecided(OURS)
                || !isDecided(DelayQueueAutoConfiguration.class.getName());
        return isPart ? null : "this context, for example a test slice, does not include " + OURS;
    }

    private boolean isDecided(String configuration) {
        return report != null && report.getConditionAndOutcomesBySource().containsKey(configuration);
    }

    /**
     * Returns the exception for an exchange that needs RabbitMQ in this process.
     *
     * @param exchange property with the exchange
     * @param purpose the messages for that exchange
     */
    static InvalidDelayQueueSetupException refusal(String exchange, String purpose) {
        return new InvalidDelayQueueSetupException(
                exchange,
                "The property " + exchange + " sends " + purpose
                        + " to RabbitMQ, but the application has no RabbitMQ ConnectionFactory.",
                "Add io.delayqueue:delayqueue-rabbit and spring-boot-starter-amqp, and do not exclude " + BOOTS
                        + ", for example in spring.autoconfigure.exclude; or declare a ConnectionFactory in a "
                        + "configuration class. Start with --debug to see the conditions. Otherwise remove " + exchange
                        + ", or set delayqueue.rabbit.enabled to false if another process delivers to RabbitMQ.");
    }
}
