// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.Due;
import io.delayqueue.LogLines;
import io.delayqueue.codec.JacksonPayloadCodec;
import io.delayqueue.delivery.Delivery;
import io.delayqueue.delivery.OpenDelivery;
import io.delayqueue.delivery.Outcome;
import io.delayqueue.delivery.TaskDestination;
import io.delayqueue.handler.RetrySettings;
import io.delayqueue.internal.client.DelayQueueTemplate;
import io.delayqueue.internal.codec.PayloadCodecs;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.queue.QueueSettingsBuilder;
import io.delayqueue.internal.queue.TaskBounds;
import io.delayqueue.internal.redis.StoreFixture;
import io.delayqueue.internal.sharding.Shardings;
import io.delayqueue.internal.store.TaskStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

class DeliveryGateIntegrationTests {

    private final AtomicReference<Instant> clock =
            new AtomicReference<>(Instant.now().truncatedTo(ChronoUnit.MILLIS));

    @AutoClose
    private final StoreFixture redis = new StoreFixture(queue -> 0, clock::get);

    private final TaskStore store = redis.store();
    private final QueueCatalog queues = new QueueCatalog(List.of(
            QueueSettingsBuilder.withDefaults("orders"),
            QueueSettingsBuilder.of("patient")
                    .retry(new RetrySettings(9, Duration.ofMinutes(1), 2, Duration.ofMinutes(5), 0))
                    .build(),
            QueueSettingsBuilder.of("short").lease(Duration.ofSeconds(1)).build(),
            QueueSettingsBuilder.withDefaults("unchecked")));
    private final DelayQueueTemplate template = new DelayQueueTemplate(
            store, queues, new PayloadCodecs(List.of(new JacksonPayloadCodec(new JsonMapper()))), TaskBounds.DEFAULT);

    private final Set<String> held = new HashSet<>();
    private final List<String> asked = new ArrayList<>();
    private Consumer<List<? extends Delivery>> whileAsked = deliveries -> {};

    /** The deliveries whose lateness is measured. */
    private final List<String> firsts = new ArrayList<>();

    private final class Firsts implements DeliveryCounter {

        @Override
        public void begun(Delivery delivery, String destination, boolean first) {
            if (first) {
                firsts.add(delivery.id());
            }
        }
    }

    private final Engine engine = new Engine(
            store,
            Shardings.fixed(queues),
            new Scheduler(),
            new EngineHooks(new DeliveryEvents(List.of(new Firsts())), null, new DeliveryCheck() {
                @Override
                public boolean concerns(String queue) {
                    return !queue.equals("unchecked");
                }

                @Override
                public Set<String> heldBack(String queue, List<? extends Delivery> deliveries) {
                    deliveries.forEach(delivery -> asked.add(delivery.id()));
                    whileAsked.accept(deliveries);
                    return Set.copyOf(held);
                }
            }));

    private final List<String> delivered = new ArrayList<>();
    private final List<String> payloads = new ArrayList<>();
    private Consumer<OpenDelivery> handler = delivery -> {};

    @AfterEach
    void close() {
        engine.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void deliveryWhenItsTaskIsHeldBackWaitsAndCountsNoFailure(boolean beginsEach) {
        schedule("held", "free");
        held.add("held");
        scan("orders", beginsEach);
        assertThat(delivered).containsExactly("free");
        assertThat(template.find("orders", "held")).hasValueSatisfying(task -> {
            assertThat(task.failures()).isZero();
            assertThat(task.nextAttentionAt()).isAfter(clock.get());
        });

        held.clear();
        clock.updateAndGet(now -> now.plusSeconds(10));
        scan("orders", beginsEach);
        assertThat(delivered).containsExactly("free", "held");
        assertThat(firsts)
                .as("what a check held back says nothing about lateness")
                .containsExactly("free");
    }

    /** The reason for holding a task back is usually short; only a longer one is checked less and less often. */
    @Test
    void deliveryWhenItsTaskIsHeldBackIsSoonDueAgainUnlessItIsLateAnyway() {
        scheduleIn("patient", "held");
        held.add("held");
        scan("patient", true);
        assertThat(nextAttention("patient", "held")).isBetween(after(100), after(10_000));

        clock.updateAndGet(now -> now.plusSeconds(20));
        scan("patient", true);
        assertThat(nextAttention("patient", "held")).isBetween(after(20_000), after(30_000));

        clock.updateAndGet(now -> now.plusSeconds(600));
        scan("patient", true);
        assertThat(nextAttention("patient", "held")).isBetween(after(60_000), after(60_001));
    }

    private Instant nextAttention(String queue, String id) {
        return template.find(queue, id).orElseThrow().nextAttentionAt();
    }

    private Instant after(long millis) {
        return clock.get().truncatedTo(ChronoUnit.MILLIS).plusMillis(millis);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void deliveryWhenItsTaskIsCancelledInTheStoreAfterTheAcquireDoesNotBegin(boolean beginsEach) {
        schedule("cancelled", "other");
        whileAsked = deliveries -> template.cancel("orders", "cancelled");
        scan("orders", beginsEach);
        assertThat(delivered).containsExactly("other");
        assertThat(template.find("orders", "cancelled")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void deliveryWhenItsTaskIsRescheduledInTheStoreAfterTheAcquireBeginsAtTheNewTimeOnly(boolean beginsEach) {
        onlyTheNewTimeCounts(beginsEach, later -> template.reschedule("orders", "changed", Due.at(later)));
        assertThat(payloads).containsExactly("x", "x");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void deliveryWhenItsTaskIsReplacedInTheStoreAfterTheAcquireDoesNotBegin(boolean beginsEach) {
        onlyTheNewTimeCounts(
                beginsEach, later -> template.queue("orders", String.class).schedule("changed", "new", Due.at(later)));
        assertThat(payloads).containsExactly("x", "new");
    }

    private void onlyTheNewTimeCounts(boolean beginsEach, Consumer<Instant> change) {
        Instant later = clock.get().truncatedTo(ChronoUnit.MILLIS).plus(Duration.ofDays(1));
        scheduleIn("orders", "changed", "other");
        whileAsked = deliveries -> {
            change.accept(later);
            whileAsked = others -> {};
        };
        scan("orders", beginsEach);
        assertThat(delivered).containsExactly("other");
        assertThat(template.find("orders", "changed")).hasValueSatisfying(task -> {
            assertThat(task.failures()).isZero();
            assertThat(task.nextAttentionAt()).isEqualTo(later);
        });

        clock.set(later);
        scan("orders", beginsEach);
        assertThat(delivered).containsExactly("other", "changed");
    }

    @Test
    void deliveryWhenItWaitsBehindAnotherIsCheckedWhenItsTurnComes() {
        schedule("first", "second");
        handler = delivery -> {
            assertThat(asked).containsExactly("first");
            held.add("second");
        };
        scan("orders", true);
        assertThat(delivered).containsExactly("first");
        assertThat(asked).containsExactly("first", "second");
    }

    @Test
    void deliveriesWhenTheyGoTogetherAreCheckedTogether() {
        schedule("first", "second");
        List<Integer> sizes = new ArrayList<>();
        whileAsked = deliveries -> sizes.add(deliveries.size());
        scan("orders", false);
        assertThat(sizes).containsExactly(2);
        assertThat(delivered).containsExactly("first", "second");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void deliveriesWhenTheCheckFailsWaitAndThatIsSaidOnce(boolean beginsEach) {
        schedule("a", "b");
        whileAsked = deliveries -> {
            throw new IllegalStateException("the database is away");
        };
        try (LogLines log = new LogLines()) {
            scan("orders", beginsEach);
            assertThat(delivered).isEmpty();
            assertThat(log.all().stream().filter(line -> line.contains("the check before delivery fails")))
                    .hasSize(1);

            whileAsked = deliveries -> {};
            clock.updateAndGet(now -> now.plusSeconds(10));
            scan("orders", beginsEach);
            assertThat(delivered).containsExactlyInAnyOrder("a", "b");
            assertThat(template.find("orders", "a")).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void leasesWhenTheCheckTakesLongAreRenewed(boolean beginsEach) {
        scheduleIn("short", "a");
        whileAsked = deliveries -> {
            Instant end = nextAttention("short", "a");
            clock.updateAndGet(now -> now.plusMillis(600));
            await().until(() -> nextAttention("short", "a").isAfter(end));
        };

        scan("short", beginsEach);

        assertThat(delivered).containsExactly("a");
    }

    private void schedule(String... ids) {
        scheduleIn("orders", ids);
    }

    private void scheduleIn(String queue, String... ids) {
        for (String id : ids) {
            template.queue(queue, String.class).schedule(id, "x", Due.at(clock.get()));
            clock.updateAndGet(now -> now.plusMillis(1));
        }
    }

    private void scan(String queue, boolean beginsEach) {
        TaskDestination destination = new TaskDestination() {
            @Override
            public void deliver(List<OpenDelivery> batch) {
                for (OpenDelivery delivery : batch) {
                    if (!beginsEach || delivery.begin()) {
                        delivered.add(delivery.id());
                        payloads.add(new String(delivery.content().payload(), StandardCharsets.UTF_8));
                        handler.accept(delivery);
                        delivery.settle(Outcome.delivered());
                    }
                }
            }

            @Override
            public boolean deliversOneByOne() {
                return beginsEach;
            }
        };
        engine.scanOnce(new QueueDelivery(queues.get(queue), destination, InterceptorChain.EMPTY), 100);
    }
}
