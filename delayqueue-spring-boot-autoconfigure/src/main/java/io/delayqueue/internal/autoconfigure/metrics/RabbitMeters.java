// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.metrics;

import io.delayqueue.internal.rabbit.confirm.RabbitConfirms;
import io.delayqueue.internal.rabbit.publisher.RabbitPublisher;
import io.delayqueue.internal.rabbit.publisher.RabbitPublishers;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.function.ToDoubleFunction;

/** Measures, for each connection, the broker's answers to messages and whether it accepts messages. */
public final class RabbitMeters implements MeterBinder {

    public static final String CONFIRMS = "delayqueue.rabbit.confirms";
    static final String BLOCKED = "delayqueue.rabbit.blocked";
    public static final String REFUSING = "delayqueue.rabbit.refusing";

    private final RabbitPublishers publishers;

    public RabbitMeters(RabbitPublishers publishers) {
        this.publishers = publishers;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        for (RabbitPublisher publisher : publishers.all()) {
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
    }

    private static void confirms(
            MeterRegistry registry, RabbitPublisher publisher, String result, ToDoubleFunction<RabbitConfirms> count) {
        FunctionCounter.builder(CONFIRMS, publisher, known -> count.applyAsDouble(known.confirms()))
                .description("Published messages by the broker's answer")
                .tags("connection", publisher.options().connectionName(), "result", result)
                .register(registry);
    }
}
