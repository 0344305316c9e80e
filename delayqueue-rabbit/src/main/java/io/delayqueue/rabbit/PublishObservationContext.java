// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import io.delayqueue.delivery.Delivery;
import io.delayqueue.delivery.ScheduledTrace;
import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.SenderContext;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * The context of the observation of a task's way to the broker, from before its message is made until the broker's answer
 * is known. Its carrier is the headers that the message gets in addition, in the place of those of the task that have the
 * same names.
 */
public final class PublishObservationContext extends SenderContext<Map<String, String>> implements ScheduledTrace {

    private final Delivery delivery;
    private volatile String outcome = "unknown";

    PublishObservationContext(Delivery delivery) {
        super((headers, name, value) -> Objects.requireNonNull(headers).put(name, value), Kind.PRODUCER);
        this.delivery = delivery;
        setCarrier(new LinkedHashMap<>());
    }

    /** What is delivered. Its outcomes are not for observers. */
    public Delivery delivery() {
        return delivery;
    }

    /** delivered, failed, postponed, dead or released; unknown until it has ended. */
    public String outcome() {
        return outcome;
    }

    void setOutcome(String outcome) {
        this.outcome = outcome;
    }

    @Override
    public Map<String, String> scheduledHeaders() {
        return delivery.content().headers();
    }
}
