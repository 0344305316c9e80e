// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import io.delayqueue.rabbit.RabbitPublisher;
import io.delayqueue.rabbit.RabbitPublishers;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * Tells of brokers that nack, as those whose queues are full: {@code delayqueue.rabbit.nacks} and {@code
 * delayqueue.rabbit.refusing}, for each connection.
 */
final class RefusalMeters implements MeterBinder {

    static final String NACKS = "delayqueue.rabbit.nacks";
    static final String REFUSING = "delayqueue.rabbit.refusing";

    private final RabbitPublishers publishers;

    RefusalMeters(RabbitPublishers publishers) {
        this.publishers = publishers;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        for (RabbitPublisher publisher : publishers.all()) {
            String connection = publisher.options().connectionName();
            FunctionCounter.builder(NACKS, publisher, RabbitPublisher::nacks)
                    .description("Messages that the broker nacked, without those of queues that count nacks")
                    .tag("connection", connection)
                    .register(registry);
            Gauge.builder(REFUSING, publisher, known -> known.refusals().size())
                    .description("Addresses whose messages the broker nacks now")
                    .tag("connection", connection)
                    .register(registry);
        }
    }
}
