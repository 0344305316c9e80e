// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc.autoconfigure;

import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.jdbc.relay.OutboxStart;
import io.delayqueue.jdbc.DelayQueueOutbox;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The outbox's meters, if Micrometer is present. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(name = "io.micrometer.core.instrument.MeterRegistry")
class OutboxMetersConfiguration {

    @Bean
    OutboxMeters delayQueueOutboxMeters(
            OutboxStart start, ObjectProvider<DelayQueueOutbox> outbox, Scheduler scheduler) {
        return new OutboxMeters(start::isUsed, () -> outbox.getObject().statistics(), scheduler.worker());
    }
}
