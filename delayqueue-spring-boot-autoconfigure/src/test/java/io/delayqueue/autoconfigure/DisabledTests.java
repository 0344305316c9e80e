// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.mockito.Mockito.mock;

import io.delayqueue.DelayQueueException;
import io.delayqueue.DelayQueueOperations;
import io.delayqueue.Due;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.annotation.DelayQueueListener;
import io.delayqueue.delivery.Outcome;
import io.delayqueue.delivery.TaskDestination;
import io.delayqueue.handler.HandlerOptions;
import io.delayqueue.handler.HandlerRegistration;
import io.delayqueue.handler.TaskHandlerRegistry;
import io.delayqueue.internal.autoconfigure.redis.start.RedisStartCheck;
import io.delayqueue.internal.client.DelayQueueTemplate;
import io.delayqueue.internal.handler.RegisteredHandlers;
import io.delayqueue.internal.rabbit.publisher.RabbitPublisher;
import io.delayqueue.internal.redis.RedisConnections;
import io.delayqueue.rabbit.RabbitScanTrigger;
import io.delayqueue.trigger.ScanTrigger;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.amqp.support.converter.MessageConverter;
import org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The delay queues with {@code delayqueue.enabled=false}, without any server. */
@ExtendWith(OutputCaptureExtension.class)
class DisabledTests {

    private static final HandlerOptions EAGER =
            HandlerOptions.builder().autoStartup(true).build();

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DataRedisAutoConfiguration.class,
                    JacksonAutoConfiguration.class,
                    RabbitAutoConfiguration.class,
                    DelayQueueAutoConfiguration.class,
                    DelayQueueRabbitAutoConfiguration.class))
            .withPropertyValues(
                    "delayqueue.enabled=false",
                    "spring.data.redis.port=1",
                    "spring.rabbitmq.port=1",
                    "delayqueue.queues.orders.rabbit.exchange=shop",
                    "delayqueue.queues.orders.rabbit.declare.exchange-type=direct",
                    "delayqueue.queues.orders.dead.exchange=dead",
                    "delayqueue.queues.heard=",
                    "delayqueue.queues.scanned=",
                    "delayqueue.queues.published=");

    @Test
    void anApplicationThatUsesEverythingStartsAndConnectsToNothing(CapturedOutput output) {
        runner.withUserConfiguration(Application.class).run(context -> {
            assertThat(context)
                    .hasNotFailed()
                    .hasSingleBean(RabbitPublisher.class)
                    .hasSingleBean(MessageConverter.class)
                    .doesNotHaveBean(RedisConnections.class)
                    .doesNotHaveBean(RedisStartCheck.class);
            assertThat(context.getBean(TaskHandlerRegistry.class).queues())
                    .as("a listener is a plain method, a handler that was registered waits")
                    .containsExactly("published");
            assertThat(context.getBeansOfType(ScanTrigger.class).values())
                    .hasSize(2)
                    .noneMatch(ScanTrigger::isRunning);
        });
        assertThat(output).doesNotContain("WARN", "ERROR");
    }

    @Test
    void aHandlerWhoseOptionsSayThatItStartsWaitsAllTheSame() {
        runner.run(context -> {
            assertThat(context).hasNotFailed();
            HandlerRegistration registration =
                    context.getBean(RegisteredHandlers.class).register("published", String.class, task -> {}, EAGER);
            assertThat(registration.isRunning()).isFalse();
        });
        runner.withUserConfiguration(EagerApplication.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBean(RegisteredHandlers.class).triggers())
                    .hasSize(1)
                    .noneMatch(ScanTrigger::isRunning);
        });
    }

    @Test
    void everyCallIsRefusedAtOnceAndSaysWhy() {
        runner.withUserConfiguration(Application.class).run(context -> {
            DelayQueueOperations template = context.getBean(DelayQueueTemplate.class);
            DelayQueueAdmin admin = context.getBean(DelayQueueAdmin.class);
            ScheduleRequest<?> request = requestTo("orders", "7", "x", Duration.ZERO);
            Stream.<ThrowingCallable>of(
                            () -> template.schedule(request),
                            () -> template.async()
                                    .schedule(request)
                                    .toCompletableFuture()
                                    .join(),
                            () -> template.cancel("orders", "7"),
                            () -> template.reschedule("orders", "7", Due.after(Duration.ZERO)),
                            () -> template.find("orders", "7", String.class),
                            () -> admin.stats("orders"),
                            () -> context.getBean("scanned", ScanTrigger.class).start(),
                            () -> context.getBean("published", ScanTrigger.class)
                                    .start(),
                            () -> context.getBean("scanned", ScanTrigger.class).scanOnce(1))
                    .forEach(call -> assertThat(catchThrowable(call))
                            .isNotNull()
                            .hasStackTraceContaining("delayqueue.enabled is false"));
            assertThatExceptionOfType(DelayQueueException.class)
                    .isThrownBy(() -> template.schedule(request))
                    .withMessageContaining("delayqueue.enabled is false");
            assertThatExceptionOfType(DelayQueueException.class)
                    .isThrownBy(() -> template.scheduleAll(List.of(request)))
                    .withMessageContaining("delayqueue.enabled is false");
        });
    }

    @Test
    void aRedisIsNotNeeded() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(DelayQueueAutoConfiguration.class))
                .withPropertyValues("delayqueue.enabled=false", "delayqueue.queues.orders=")
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(DelayQueueTemplate.class));
    }

    @Test
    void operationsOfTheApplicationWin() {
        runner.withBean(
                        "own",
                        DelayQueueOperations.class,
                        () -> mock(DelayQueueOperations.class),
                        definition -> definition.setPrimary(true))
                .run(context -> assertThat(context.getBean(DelayQueueOperations.class))
                        .isSameAs(context.getBean("own"))
                        .isNotInstanceOf(DelayQueueTemplate.class));
    }

    @Configuration(proxyBeanMethods = false)
    static class EagerApplication {

        @Bean
        HandlerRegistration eager(TaskHandlerRegistry handlers) {
            return handlers.register("published", String.class, task -> {}, EAGER);
        }
    }

    static class Service {

        Service(DelayQueueTemplate template, DelayQueueAdmin admin, TaskHandlerRegistry handlers) {
            handlers.register("published", String.class, task -> {});
        }

        @DelayQueueListener(queue = "heard")
        void onTimeout(String text) {}
    }

    static class Scanning extends ScanTrigger {

        Scanning() {
            super("scanned");
        }

        @Override
        protected TaskDestination createDestination() {
            return deliveries -> deliveries.forEach(delivery -> delivery.settle(Outcome.delivered()));
        }
    }

    static class Publishing extends RabbitScanTrigger {

        Publishing() {
            super("orders");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Application {

        @Bean
        Service service(DelayQueueTemplate template, DelayQueueAdmin admin, TaskHandlerRegistry handlers) {
            return new Service(template, admin, handlers);
        }

        @Bean
        Scanning scanned() {
            return new Scanning();
        }

        @Bean
        Publishing published() {
            return new Publishing();
        }
    }
}
