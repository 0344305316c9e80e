// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.Due;
import io.delayqueue.FoundTask;
import io.delayqueue.TaskState;
import io.delayqueue.TypedQueue;
import io.delayqueue.annotation.DelayQueueListener;
import io.micrometer.observation.ObservationRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.core.task.TaskDecorator;
import org.springframework.core.task.support.ContextPropagatingTaskDecorator;

/** Decorators of the application around handlers, and the time of a shutdown, on a real Redis. */
@ExtendWith(OutputCaptureExtension.class)
class TaskDecoratorIntegrationTests extends ListenerScene {

    TaskDecoratorIntegrationTests() {
        super("delayqueue.queues.orders.retry.max-retries=0");
    }

    private ApplicationContextRunner listening() {
        return runner.withUserConfiguration(WithListener.class);
    }

    private static final List<String> seen = new CopyOnWriteArrayList<>();

    @BeforeEach
    void forget() {
        seen.clear();
    }

    @Configuration(proxyBeanMethods = false)
    static class WithListener {

        @Bean
        Listener listener(ObjectProvider<ObservationRegistry> observations) {
            return new Listener(observations);
        }
    }

    static class Listener {

        private final ObjectProvider<ObservationRegistry> observations;

        Listener(ObjectProvider<ObservationRegistry> observations) {
            this.observations = observations;
        }

        @DelayQueueListener(queue = "orders")
        public void handle(String text) {
            ObservationRegistry registry = observations.getIfUnique();
            seen.add((registry != null && registry.getCurrentObservation() != null ? "observed " : "") + text);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Two {

        @Bean
        @Order(2)
        TaskDecorator inner() {
            return noting("inner");
        }

        @Bean
        @Order(1)
        TaskDecorator outer() {
            return noting("outer");
        }

        private static TaskDecorator noting(String name) {
            return task -> () -> {
                seen.add(name);
                task.run();
                seen.add("after " + name);
            };
        }
    }

    @Test
    void handlerWhenThereAreDecoratorsRunsInsideThemAsInSpringsExecutors() {
        listening().withUserConfiguration(Two.class).run(context -> {
            schedule(context, "a");
            await().atMost(Duration.ofSeconds(10)).until(() -> seen.size() == 5);
            // a CompositeTaskDecorator applies the first decorator first, so that the last is the outermost
            assertThat(seen).containsExactly("inner", "outer", "a", "after outer", "after inner");
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class Propagating {

        @Bean
        TaskDecorator propagating() {
            return new ContextPropagatingTaskDecorator();
        }

        @Bean
        ObservationRegistry observations() {
            ObservationRegistry registry = ObservationRegistry.create();
            registry.observationConfig().observationHandler(context -> true);
            return registry;
        }
    }

    @Test
    void handlerWhenTheContextIsPropagatedRunsInItsObservation() {
        listening().withUserConfiguration(Propagating.class).run(context -> {
            schedule(context, "a");
            await().atMost(Duration.ofSeconds(10)).until(() -> seen.contains("observed a"));
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class Swallowing {

        @Bean
        TaskDecorator swallowing() {
            return task -> () -> {};
        }
    }

    @Test
    void handlerWhenADecoratorDoesNotRunItHasFailed(CapturedOutput log) {
        listening().withUserConfiguration(Swallowing.class).run(context -> {
            TypedQueue<String> orders = schedule(context, "a");
            await().atMost(Duration.ofSeconds(10))
                    .until(() -> orders.find("a").map(FoundTask::state).equals(Optional.of(TaskState.DEAD)));
            assertThat(seen).isEmpty();
            assertThat(log).contains("did not run the decorated Runnable");
        });
    }

    @Test
    void startWhenAQueueWaitsLongerThanSpringDoesWarns(CapturedOutput log) {
        listening()
                .withPropertyValues("delayqueue.queues.orders.trigger.shutdown-timeout=31s")
                .run(context -> assertThat(log)
                        .contains("The queues [orders] have a trigger.shutdown-timeout above"
                                + " spring.lifecycle.timeout-per-shutdown-phase (30 s)"));
    }

    @Test
    void startWhenSpringWaitsLongEnoughDoesNotWarn(CapturedOutput log) {
        listening()
                .withPropertyValues(
                        "delayqueue.queues.orders.trigger.shutdown-timeout=31s",
                        "spring.lifecycle.timeout-per-shutdown-phase=31s")
                .run(context -> assertThat(log).doesNotContain("timeout-per-shutdown-phase"));
    }

    private static TypedQueue<String> schedule(AssertableApplicationContext context, String text) {
        TypedQueue<String> orders = context.getBean(DelayQueueOperations.class).queue("orders", String.class);
        orders.schedule(text, text, Due.now());
        return orders;
    }
}
