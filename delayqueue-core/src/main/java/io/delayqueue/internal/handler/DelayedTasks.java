// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.handler;

import io.delayqueue.Due;
import io.delayqueue.PayloadConversionException;
import io.delayqueue.delivery.Delivery;
import io.delayqueue.delivery.OpenDelivery;
import io.delayqueue.handler.DelayedTask;
import io.delayqueue.handler.NonRetryableTaskException;
import io.delayqueue.handler.TaskLease;
import io.delayqueue.handler.UnreadablePayloadException;
import io.delayqueue.internal.codec.PayloadCodecs;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Converts deliveries into tasks for handlers. */
public record DelayedTasks(PayloadCodecs codecs) {

    /**
     * Returns the payload, decoded to {@code type}.
     *
     * @throws UnreadablePayloadException if the payload does not fit the type; a retry cannot help
     */
    public Object payload(Delivery delivery, Type type) {
        try {
            return codecs.decode(
                    delivery.content().payload(),
                    delivery.content().contentType(),
                    delivery.content().headers(),
                    type);
        } catch (PayloadConversionException ex) {
            throw new UnreadablePayloadException("PayloadConversionException: " + ex.getMessage(), ex);
        }
    }

    /** Returns whether the payload has a version that only a newer process can decode to {@code type}. */
    public boolean isTooNew(Delivery delivery, Type type) {
        return codecs.isNewer(delivery.content().headers(), type);
    }

    /** Returns the tasks whose payloads can be decoded to {@code type}. The attempts of the others fail. */
    public List<DelayedTask<Object>> tasks(List<OpenDelivery> deliveries, Type type) {
        List<DelayedTask<Object>> tasks = new ArrayList<>(deliveries.size());
        for (OpenDelivery delivery : deliveries) {
            try {
                tasks.add(task(delivery, type));
            } catch (NonRetryableTaskException ex) {
                delivery.failWith(ex);
            }
        }
        return tasks;
    }

    public DelayedTask<Object> task(OpenDelivery delivery, Type type) {
        return new DeliveredTask<>(delivery, payload(delivery, type), delivery.lateness());
    }

    public static TaskLease lease(OpenDelivery delivery) {
        return new DeliveryLease(delivery);
    }

    private record DeliveryLease(OpenDelivery delivery) implements TaskLease {

        @Override
        public long fencingToken() {
            return delivery.fencingToken();
        }

        @Override
        public boolean isLost() {
            return delivery.isLeaseLost();
        }

        @Override
        public boolean extend(Duration atLeast) {
            return delivery.extendLease(atLeast);
        }
    }

    private record DeliveredTask<T>(OpenDelivery delivery, T payload, Duration lateness) implements DelayedTask<T> {

        @Override
        public String queue() {
            return delivery.queue();
        }

        @Override
        public String id() {
            return delivery.id();
        }

        @Override
        public String taskKey() {
            return delivery.taskKey();
        }

        @Override
        public Instant dueAt() {
            return delivery.dueAt();
        }

        @Override
        public int attempt() {
            return delivery.attempt();
        }

        @Override
        public Map<String, String> headers() {
            return delivery.content().headers();
        }

        @Override
        public TaskLease lease() {
            return DelayedTasks.lease(delivery);
        }

        @Override
        public void fail(Throwable error) {
            delivery.failWith(error);
        }

        @Override
        public void again(Duration after) {
            delivery.again(Due.after(after));
        }

        @Override
        public void againAt(Instant due) {
            delivery.again(Due.at(due));
        }

        /** Shows the task, never its payload or headers. */
        @Override
        public String toString() {
            return "DelayedTask[queue=" + queue() + ", id=" + id() + ", dueAt=" + dueAt() + ", attempt=" + attempt()
                    + "]";
        }
    }
}
