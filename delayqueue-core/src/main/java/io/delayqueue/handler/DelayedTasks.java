// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.handler;

import io.delayqueue.PayloadConversionException;
import io.delayqueue.codec.PayloadCodecs;
import io.delayqueue.delivery.Delivery;
import io.delayqueue.internal.concurrent.Guard;
import java.lang.reflect.Type;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes what handlers see out of deliveries. */
public final class DelayedTasks {

    private static final Logger log = LoggerFactory.getLogger(DelayedTasks.class);

    private final PayloadCodecs codecs;

    public DelayedTasks(PayloadCodecs codecs) {
        this.codecs = codecs;
    }

    /**
     * Decodes the payload to {@code type}.
     *
     * @throws NonRetryableTaskException if it does not fit: it never will
     */
    public Object payload(Delivery delivery, Type type) {
        try {
            return codecs.decode(
                    delivery.content().payload(), delivery.content().contentType(), type);
        } catch (PayloadConversionException ex) {
            throw new NonRetryableTaskException("PayloadConversionException: " + ex.getMessage(), ex);
        }
    }

    /** The task with its payload decoded to {@code type}. */
    public DelayedTask<Object> task(Delivery delivery, Type type) {
        return new DelayedTask<>(
                delivery.queue(),
                delivery.id(),
                delivery.taskKey(),
                delivery.dueAt(),
                delivery.attempt(),
                delivery.lateness(),
                delivery.content().headers(),
                payload(delivery, type),
                lease(delivery));
    }

    /**
     * Prepares what decoding the first payload takes and later ones do not. If that fails, the first task fails in the same
     * way.
     *
     * @param codec the name of the queue's codec
     */
    void prepare(Type type, String codec) {
        try {
            codecs.prepare(type, codec);
        } catch (Throwable ex) {
            Guard.tell(() -> log.debug("Payloads of {} could not be prepared", type, ex));
        }
    }

    /** The lease of a delivery. */
    public static TaskLease lease(Delivery delivery) {
        return new DeliveryLease(delivery);
    }

    private record DeliveryLease(Delivery delivery) implements TaskLease {

        @Override
        public long token() {
            return delivery.token();
        }

        @Override
        public boolean isLost() {
            return delivery.isLeaseLost();
        }

        @Override
        public boolean extend(Duration atLeast) {
            return delivery.extendLease(atLeast);
        }

        @Override
        public void again(Duration after) {
            delivery.again(after);
        }
    }
}
