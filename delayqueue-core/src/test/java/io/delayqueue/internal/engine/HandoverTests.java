// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.delivery.Delivery;
import io.delayqueue.delivery.DeliveryInterceptor;
import io.delayqueue.delivery.OpenDelivery;
import io.delayqueue.delivery.Outcome;
import io.delayqueue.delivery.TaskDestination;
import io.delayqueue.queue.QueueSettings;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HandoverTests {

    private final NotedDeliveries deliveries = new NotedDeliveries();
    private final List<String> calls = new ArrayList<>();

    @Test
    void deliverWhenOneWasReleasedHandsOverTheOthersBegun() {
        LeasedDelivery released = deliveries.delivery("released");
        LeasedDelivery other = deliveries.delivery("other");
        released.releaseUnlessBegun();

        handover(false, false).deliver(List.of(released, other));

        assertThat(calls).containsExactly("before other", "deliver other", "after other");
        assertThat(other.releaseUnlessBegun()).as("it has begun").isFalse();
    }

    @Test
    void deliverWhenNoneIsLeftDoesNotCallTheDestination() {
        LeasedDelivery released = deliveries.delivery("released");
        released.releaseUnlessBegun();

        handover(false, false).deliver(List.of(released));

        assertThat(calls).isEmpty();
    }

    @Test
    void deliverWhenTheDestinationBeginsEachLeavesThatToIt() {
        LeasedDelivery first = deliveries.delivery("first");
        LeasedDelivery released = deliveries.delivery("released");
        released.releaseUnlessBegun();

        handover(true, false).deliver(List.of(first, released));

        assertThat(calls).containsSubsequence("deliver first", "after first", "deliver released");
    }

    @Test
    void deliverWhenAnInterceptorThrowsFailsThatDeliveryAndHandsOverTheOthers() {
        LeasedDelivery refused = deliveries.delivery("refused");

        handover(false, false).deliver(List.of(refused, deliveries.delivery("other")));

        assertThat(calls).containsExactly("before refused", "before other", "deliver other", "after other");
        assertThat(deliveries.notes()).containsExactly("RETRY refused", "ACK other");
    }

    @Test
    void deliverWhenOneCannotBeginFailsThatDeliveryAndHandsOverTheOthers() {
        handover(false, false)
                .deliver(
                        List.of(deliveries.delivery("a"), deliveries.delivery("broken"), deliveries.delivery("other")));

        assertThat(calls)
                .containsExactly("before a", "before other", "deliver a", "after a", "deliver other", "after other");
        assertThat(deliveries.notes()).containsExactly("RETRY broken", "ACK a", "ACK other");
    }

    @Test
    void deliverWhenTheDestinationCallsInterceptorsCallsNone() {
        handover(false, true).deliver(List.of(deliveries.delivery("a")));

        assertThat(calls).containsExactly("deliver a");
    }

    private Handover handover(boolean oneByOne, boolean reports) {
        TaskDestination destination = new LibraryDestination() {
            @Override
            public void deliver(List<OpenDelivery> batch) {
                batch.forEach(delivery -> {
                    calls.add("deliver " + delivery.id());
                    delivery.settle(Outcome.delivered());
                });
            }

            @Override
            public boolean deliversOneByOne() {
                return oneByOne;
            }

            @Override
            public boolean reportsAttempts() {
                return reports;
            }
        };
        InterceptorChain interceptors = new InterceptorChain(List.of(new DeliveryInterceptor() {
            @Override
            public void before(Delivery delivery) {
                calls.add("before " + delivery.id());
                if (delivery.id().equals("refused")) {
                    throw new IllegalStateException("no");
                }
            }

            @Override
            public void after(Delivery delivery) {
                calls.add("after " + delivery.id());
            }
        }));
        return new Handover(new QueueDelivery(QueueSettings.withDefaults("orders"), destination, interceptors), null);
    }
}
