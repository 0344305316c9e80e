// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.CancelOutcome;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.admin.DeadTask;
import io.delayqueue.admin.DeadTaskPageRequest;
import io.delayqueue.delivery.Delivery;
import io.delayqueue.delivery.TaskDestination;
import io.delayqueue.queue.QueueSettings;
import io.delayqueue.trigger.ScanTrigger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class InMemoryDelayQueuesTests {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final AtomicReference<Instant> clock = new AtomicReference<>(START);
    private final List<String> delivered = new CopyOnWriteArrayList<>();
    private InMemoryDelayQueues queues = new InMemoryDelayQueues(clock::get, QueueSettings.withDefaults("orders"));

    @AfterEach
    void close() {
        queues.close();
    }

    private ScanTrigger trigger(Consumer<Delivery> end) {
        ScanTrigger trigger = new ScanTrigger("orders") {
            @Override
            protected TaskDestination createDestination() {
                return deliveries -> deliveries.forEach(delivery -> {
                    delivered.add(new String(delivery.content().payload(), StandardCharsets.UTF_8));
                    end.accept(delivery);
                });
            }
        };
        trigger.setTriggerContext(queues.triggerContext());
        return trigger;
    }

    private void pass(Duration time) {
        clock.set(clock.get().plus(time));
    }

    @Test
    void scanOnceWhenTheClockWasMovedToTheDueTimeDelivers() {
        ScanTrigger trigger = trigger(Delivery::acknowledge);
        queues.template().schedule("orders", "order 7", Duration.ofMinutes(30));

        pass(Duration.ofMinutes(30).minusMillis(1));
        assertThat(trigger.scanOnce(10)).isZero();
        pass(Duration.ofMillis(1));

        assertThat(trigger.scanOnce(10)).isOne();
        assertThat(delivered).containsExactly("order 7");
        assertThat(queues.admin().stats("orders").leased()).isZero();
        assertThat(trigger.scanOnce(10)).isZero();
        trigger.destroy();
    }

    @Test
    void cancelWhenATaskWaitsKeepsItFromBeingDelivered() {
        ScanTrigger trigger = trigger(Delivery::acknowledge);
        String id = queues.template().schedule("orders", "order 7", Duration.ofMinutes(30));

        assertThat(queues.template().cancel("orders", id)).isEqualTo(CancelOutcome.CANCELLED);
        pass(Duration.ofDays(1));

        assertThat(trigger.scanOnce(10)).isZero();
        trigger.destroy();
    }

    @Test
    void redriveWhenATaskWasGivenUpDeliversItAgain() {
        ScanTrigger hopeless = trigger(delivery -> delivery.reject("no such order"));
        queues.template().schedule("orders", "order 7", Duration.ZERO);
        hopeless.scanOnce(10);
        hopeless.destroy();
        List<DeadTask> dead = queues.admin()
                .deadTasks("orders", DeadTaskPageRequest.first(10))
                .tasks();
        assertThat(dead).extracting(DeadTask::reason).containsExactly(Optional.of("no such order"));

        queues.admin().redrive("orders", dead.get(0).id());

        ScanTrigger trigger = trigger(Delivery::acknowledge);
        assertThat(trigger.scanOnce(10)).isOne();
        assertThat(delivered).containsExactly("order 7", "order 7");
        trigger.destroy();
    }

    @Test
    void triggerWhenItRunsBySystemTimeDeliversAllAlsoOfAQueueThatIsResized() {
        queues.close();
        queues = new InMemoryDelayQueues(QueueSettings.withDefaults("orders"));
        ScanTrigger trigger = trigger(Delivery::acknowledge);
        trigger.start();

        queues.template()
                .scheduleAll(IntStream.range(0, 200)
                        .mapToObj(i -> ScheduleRequest.to("orders")
                                .payload("order " + i)
                                .delay(Duration.ofMillis(500))
                                .build())
                        .toList());
        queues.admin().resize("orders", 4);

        await().until(() -> delivered.size() >= 200);
        assertThat(delivered).doesNotHaveDuplicates().hasSize(200);
        trigger.destroy();
    }
}
