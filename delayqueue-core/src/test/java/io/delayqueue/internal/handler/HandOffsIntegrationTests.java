// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.handler;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.engine.Engine;
import io.delayqueue.internal.engine.EngineHooks;
import io.delayqueue.internal.engine.InterceptorChain;
import io.delayqueue.internal.sharding.Sharding;
import io.delayqueue.internal.sharding.Shardings;
import io.delayqueue.internal.store.InterceptedStore;
import io.delayqueue.internal.store.TaskStore;
import io.delayqueue.internal.trigger.TriggerContext;
import io.delayqueue.trigger.TriggerFixture;
import io.micrometer.observation.ObservationRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** The threads that a task passes through from its due time until it is settled. */
class HandOffsIntegrationTests {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final List<String> steps = new CopyOnWriteArrayList<>();

    /** A timer that is late hands over to a scanning thread, so on a busy machine several tasks may be needed. */
    @Test
    void deliverWhenATaskComesDueTakesTheTimerAndOneWorker() {
        try (TriggerFixture fixture = new TriggerFixture();
                Engine engine = new Engine(
                        noting(fixture.redis.store()),
                        Shardings.fixed(queue -> Sharding.initial(1)),
                        new Scheduler(),
                        EngineHooks.NONE)) {
            RegisteredHandlers registry = new RegisteredHandlers(
                    new TriggerContext(
                            engine, fixture.queues(), fixture.redis.wakeSignals(), InterceptorChain.EMPTY, false),
                    new DelayedTasks(fixture.codecs()),
                    ObservationRegistry.NOOP,
                    FailurePolicy.DEFAULT);
            registry.start();
            registry.register(TriggerFixture.QUEUE, String.class, task -> note("handle"));
            DelayQueueOperations operations = fixture.template();

            await().atMost(PATIENCE).pollInterval(Duration.ofMillis(10)).untilAsserted(() -> {
                steps.clear();
                operations.schedule(requestTo(TriggerFixture.QUEUE, "x", Duration.ofMillis(100)));
                await().atMost(PATIENCE).until(() -> first("settle") >= 0);
                int handled = first("handle");
                assertThat(List.copyOf(steps).subList(handled - 1, handled + 2))
                        .containsExactly(
                                "acquire on delayqueue-timer-",
                                "handle on delayqueue-orders-",
                                "settle on delayqueue-orders-");
            });
            registry.destroy();
        }
    }

    private int first(String step) {
        return steps.stream().map(each -> each.split(" ")[0]).toList().indexOf(step);
    }

    private void note(String step) {
        steps.add(step + " on " + Thread.currentThread().getName().replaceAll("\\d+$", ""));
    }

    private TaskStore noting(TaskStore store) {
        return InterceptedStore.around(store, (target, method, arguments) -> {
            if (method.getName().equals("acquire") || method.getName().equals("settle")) {
                note(method.getName());
            }
            return method.invoke(target, arguments);
        });
    }
}
