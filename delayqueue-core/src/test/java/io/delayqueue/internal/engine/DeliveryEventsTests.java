// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.TaskContent;
import io.delayqueue.delivery.Outcome;
import io.delayqueue.internal.engine.LeasedDelivery.AcquiredAt;
import io.delayqueue.internal.queue.QueueSettingsBuilder;
import io.delayqueue.internal.store.AcquiredTask;
import io.delayqueue.internal.store.QueueClock;
import io.delayqueue.internal.store.Settlement;
import io.delayqueue.internal.store.Shard;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The counts of a delivery. */
class DeliveryEventsTests {

    private final Noting noted = new Noting();

    @Test
    void deliveryWhenItNeverBeganIsNotCounted() {
        delivery(Duration.ofMinutes(1)).settle(Outcome.released());
        delivery(Duration.ofMinutes(1)).settle(Outcome.delivered());

        assertThat(noted.events).isEmpty();
    }

    @Test
    void deliveryWhenItBeganAndEndedIsCountedOnceWithItsOutcome() {
        LeasedDelivery delivered = begun(Duration.ofMinutes(1));
        delivered.settle(Outcome.delivered());
        delivered.settle(Outcome.failed("too late"));
        begun(Duration.ofMinutes(1)).settle(Outcome.failed("once"));
        begun(Duration.ofMinutes(1)).settle(Outcome.postponed("later"));
        begun(Duration.ofMinutes(1)).settle(Outcome.dead("never"));
        begun(Duration.ofMinutes(1)).settle(Outcome.released());

        assertThat(noted.events)
                .containsExactly(
                        "begun",
                        "DELIVERED false",
                        "begun",
                        "FAILED false",
                        "begun",
                        "POSTPONED false",
                        "begun",
                        "DEAD false",
                        "begun",
                        "RELEASED false");
    }

    @Test
    void deliveryWhenItsLeaseWasOverIsCountedAsOneThatLostIt() {
        begun(Duration.ZERO).settle(Outcome.delivered());
        begun(Duration.ZERO).settle(Outcome.failed("late"));
        LeasedDelivery lost = begun(Duration.ofMinutes(1));
        lost.lease().lost();
        lost.settle(Outcome.delivered());

        assertThat(noted.events)
                .containsExactly("begun", "DELIVERED true", "begun", "FAILED true", "begun", "DELIVERED true");
    }

    @Test
    void deliveryWhenItsWorkMayContinueDoesNotConfirmTheEndOfACancelledTask() {
        LeasedDelivery cancelled = begun(Duration.ofMinutes(1));
        cancelled.endEarly(() -> noted.events.add("confirmed"));
        cancelled.mayContinue();
        cancelled.settle(Outcome.delivered());

        assertThat(noted.events).containsExactly("begun", "DELIVERED true");
    }

    private LeasedDelivery begun(Duration lease) {
        LeasedDelivery delivery = delivery(lease);
        assertThat(delivery.begin()).isTrue();
        assertThat(delivery.begin()).isFalse();
        return delivery;
    }

    private LeasedDelivery delivery(Duration lease) {
        TaskContent content = new TaskContent("text/plain", Map.of(), new byte[0]);
        return new LeasedDelivery(
                new Shard("orders", 0),
                new AcquiredTask("a", "", Instant.EPOCH, 0, 0, content),
                new Lease(1, System.nanoTime() + lease.toNanos()),
                new AcquiredAt(0, System.nanoTime(), QueueClock.SERVERS),
                QueueSettingsBuilder.withDefaults("orders"),
                noted);
    }

    private static final class Noting implements DeliveryOutcomes {

        private final List<String> events = new ArrayList<>();

        @Override
        public void begun(LeasedDelivery delivery) {
            events.add("begun");
        }

        @Override
        public void ended(LeasedDelivery delivery, Outcome.Kind ending, boolean leaseLost) {
            events.add(ending + " " + leaseLost);
        }

        @Override
        public void settled(LeasedDelivery delivery, Settlement settlement, @Nullable Duration closesKeyFor) {}

        @Override
        public boolean renew(LeasedDelivery delivery, Duration atLeast) {
            return true;
        }
    }
}
