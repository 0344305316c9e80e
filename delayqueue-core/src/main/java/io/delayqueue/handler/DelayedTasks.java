// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.handler;

import io.delayqueue.PayloadConversionException;
import io.delayqueue.codec.PayloadCodecs;
import io.delayqueue.delivery.Delivery;
import io.delayqueue.internal.concurrent.WarmUp;
import java.lang.reflect.Type;
import java.time.Duration;

/** Makes what handlers see out of deliveries. */
public final class DelayedTasks {

    private final PayloadCodecs codecs;
    private final WarmUp warmUp = new WarmUp();

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
     * Makes ready, in the background, what the first payload of a handler takes that later ones do not. Whatever goes
     * wrong there is met, and told, by the first task.
     *
     * @param codec the name of the queue's codec
     */
    public void prepare(Type type, String codec) {
        warmUp.run(() -> codecs.prepare(type, codec));
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
