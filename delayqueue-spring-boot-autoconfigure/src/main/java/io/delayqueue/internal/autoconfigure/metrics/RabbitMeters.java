// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.metrics;

import io.delayqueue.internal.rabbit.confirm.RabbitConfirms;
import io.delayqueue.internal.rabbit.intake.Intake;
import io.delayqueue.internal.rabbit.publisher.RabbitPublisher;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Measures the broker's answers to messages, whether it accepts messages, and what each intake does with messages.
 *
 * @param intakes passes each intake to its argument, including intakes that are added later
 */
public record RabbitMeters(@Nullable RabbitPublisher publisher, Consumer<Consumer<Intake>> intakes)
        implements MeterBinder {

    public static final String CONFIRMS = "delayqueue.rabbit.confirms";
    static final String BLOCKED = "delayqueue.rabbit.blocked";
    public static final String REFUSING = "delayqueue.rabbit.refusing";
    public static final String INTAKE_MESSAGES = "delayqueue.intake.messages";
    public static final String INTAKE_BLOCKED = "delayqueue.intake.blocked";

    @Override
    public void bindTo(MeterRegistry registry) {
        if (publisher != null) {
            String connection = publisher.options().connectionName();
            Gauge.builder(REFUSING, publisher, known -> known.refusals().size())
                    .description("Addresses whose messages the broker nacks now")
                    .tag("connection", connection)
                    .register(registry);
            Gauge.builder(BLOCKED, publisher, known -> known.isBlocked() ? 1 : 0)
                    .description("1 if the broker has blocked its publishers, otherwise 0")
                    .tag("connection", connection)
                    .register(registry);
            confirms(registry, publisher, "ack", RabbitConfirms::acks);
            confirms(registry, publisher, "nack", RabbitConfirms::nacks);
            confirms(registry, publisher, "returned", RabbitConfirms::returns);
            confirms(registry, publisher, "timeout", RabbitConfirms::timeouts);
            confirms(registry, publisher, "lost", RabbitConfirms::lost);
        }
        intakes.accept(intake -> bind(registry, intake));
    }

    private static void bind(MeterRegistry registry, Intake intake) {
        Gauge.builder(INTAKE_BLOCKED, intake, known -> known.problem() == null ? 0 : 1)
                .description("1 if the intake accepts no messages now, otherwise 0")
                .tag("intake", intake.settings().name())
                .register(registry);
        messages(registry, intake, "accepted", Intake::accepted);
        messages(registry, intake, "rejected", Intake::rejected);
    }

    private static void messages(
            MeterRegistry registry, Intake intake, String outcome, ToDoubleFunction<Intake> count) {
        FunctionCounter.builder(INTAKE_MESSAGES, intake, count)
                .description("Messages that the intake has acknowledged")
                .tags("intake", intake.settings().name(), "outcome", outcome)
                .register(registry);
    }

    private static void confirms(
            MeterRegistry registry, RabbitPublisher publisher, String result, ToDoubleFunction<RabbitConfirms> count) {
        FunctionCounter.builder(CONFIRMS, publisher, known -> count.applyAsDouble(known.confirms()))
                .description("Published messages by the broker's answer")
                .tags("connection", publisher.options().connectionName(), "result", result)
                .register(registry);
    }
}
