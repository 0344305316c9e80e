// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.DeliveryWindow;
import io.delayqueue.WorkingDays;
import io.delayqueue.handler.RetrySettings;
import io.delayqueue.internal.queue.DeadSettings;
import io.delayqueue.internal.queue.LimitSettings;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.queue.QueueSettings;
import io.delayqueue.internal.queue.QueueSettingsBuilder;
import io.delayqueue.internal.queue.Rate;
import io.delayqueue.internal.queue.TimingSettings;
import io.delayqueue.internal.queue.TriggerSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.LocalDate;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.io.ByteArrayResource;

class QueuePropertiesTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(DataRedisAutoConfiguration.class, DelayQueueAutoConfiguration.class))
            .withPropertyValues(
                    "spring.data.redis.port=1", "delayqueue.redis.command-timeout=100ms", "delayqueue.redis.check=off");

    @Test
    void everyPropertyOfAQueueIsRead() {
        runner.withInitializer(yaml("""
                        delayqueue:
                          queues:
                            orders:
                              shards: 3
                              codec: msgpack
                              lease: 45s
                              max-lease-expiries: 4
                              min-replicas: 2
                              history: 5000
                              stack-trace-size: 4KB
                              handler: {timeout: 70s}
                              retry: {max-retries: 5, delay: 2s, multiplier: 3, max-delay: 1m, jitter: 0}
                              dead: {retention: 14d, cap: 0}
                              limits: {rate: 200/s, rate-when-overdue: 100/m, per-key: {rate: 5/s burst 10, concurrency: 2}}
                              expires-after: 90s
                              expired: delete
                              window: "09:00-21:00 Europe/Berlin SUNDAY,MONDAY"
                              trigger:
                                auto-startup: false
                                concurrency: 8
                                thread-name-prefix: o-
                                batch-size: 500
                                max-idle-interval: 1s
                                shutdown-timeout: 20s
                        """))
                .run(context -> assertThat(context.getBean(QueueCatalog.class).get("orders"))
                        .isEqualTo(new QueueSettings(
                                "orders",
                                3,
                                "msgpack",
                                Duration.ofSeconds(45),
                                4,
                                new RetrySettings(5, Duration.ofSeconds(2), 3, Duration.ofMinutes(1), 0),
                                new TriggerSettings(false, 8, "o-", 500, Duration.ofSeconds(1), Duration.ofSeconds(20)),
                                new DeadSettings(Duration.ofDays(14), null, DeadSettings.Keep.NONE),
                                2,
                                Duration.ofSeconds(70),
                                new TimingSettings(
                                        Duration.ofSeconds(90),
                                        TimingSettings.Expired.DELETE,
                                        DeliveryWindow.parse("09:00-21:00 Europe/Berlin MONDAY,SUNDAY"),
                                        Map.of()),
                                new LimitSettings(
                                        Rate.parse("200/s"),
                                        Rate.parse("100/m"),
                                        new Rate(5, Duration.ofSeconds(1), 10),
                                        2),
                                5000,
                                4096)));
    }

    @Test
    void calendarsOfWindowsAreTheBeansOfTheirNames() {
        AtomicInteger made = new AtomicInteger();
        runner.withBean(
                        "germany",
                        WorkingDays.class,
                        () -> {
                            made.incrementAndGet();
                            return day -> day.getDayOfMonth() == 2;
                        },
                        definition -> definition.setLazyInit(true))
                .withPropertyValues("delayqueue.queues.orders.window=09:00-21:00 Europe/Berlin calendar:germany")
                .run(context -> {
                    TimingSettings timing =
                            context.getBean(QueueCatalog.class).get("orders").timing();
                    assertThat(timing.window()).isNotNull();
                    assertThat(made).as("a lazy bean stays lazy").hasValue(0);
                    WorkingDays germany = timing.calendars().get("germany");
                    assertThat(germany.isWorkingDay(LocalDate.of(2026, 1, 1))).isFalse();
                    assertThat(germany.isWorkingDay(LocalDate.of(2026, 1, 2))).isTrue();
                    assertThat(made).hasValue(1);
                });
        runner.withPropertyValues("delayqueue.queues.orders.window=09:00-21:00 Europe/Berlin calendar:germany")
                .run(context -> assertThat(context)
                        .hasFailed()
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("delayqueue.queues.orders.window")
                        .hasMessageContaining("WorkingDays"));
        runner.withPropertyValues("delayqueue.queues.orders.window=9 to 5")
                .run(context -> assertThat(context)
                        .hasFailed()
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("'09:00-21:00 Europe/Berlin'"));
    }

    /** The empty name is that of RabbitMQ's default exchange. */
    @ParameterizedTest
    @ValueSource(strings = {"dead.orders", "''"})
    void deadTasksThatAreNotKeptCannotBeForwarded(String exchange) {
        runner.withInitializer(yaml("delayqueue: {queues: {orders: {dead: {cap: 0, exchange: " + exchange + "}}}}"))
                .run(context -> assertThat(context)
                        .hasFailed()
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("delayqueue.queues.orders.dead.cap")
                        .hasMessageContaining("dead.exchange"));
    }

    @Test
    void whatAQueueDoesNotSayIsInherited() {
        runner.withInitializer(yaml("""
                        delayqueue:
                          defaults:
                            lease: 45s
                            retry: {jitter: 0, max-retries: 2}
                            dead: {retention: 30d}
                            trigger: {concurrency: 2}
                          queues:
                            orders: {}
                            mails:
                              retry: {max-retries: 4}
                              dead: {cap: 7}
                        """)).run(context -> {
            QueueSettings orders = context.getBean(QueueCatalog.class).get("orders");
            assertThat(orders.lease()).isEqualTo(Duration.ofSeconds(45));
            assertThat(orders.retry().maxRetries()).isEqualTo(2);
            assertThat(orders.trigger().concurrency()).isEqualTo(2);
            QueueSettings mails = context.getBean(QueueCatalog.class).get("mails");
            assertThat(mails.retry().maxRetries()).isEqualTo(4);
            assertThat(orders.dead()).isEqualTo(new DeadSettings(Duration.ofDays(30), 100_000));
            assertThat(mails.dead()).isEqualTo(new DeadSettings(Duration.ofDays(30), 7));
            assertThat(mails.retry().jitter()).isZero();
            assertThat(mails.retry().maxDelay()).isEqualTo(RetrySettings.DEFAULT.maxDelay());
        });
    }

    @Test
    void anEmptyMapIsAQueueWithDefaults() {
        runner.withInitializer(yaml("delayqueue: {queues: {orders: {}, mails: {}}}"))
                .run(context -> assertThat(context.getBean(QueueCatalog.class).all())
                        .containsExactly(
                                QueueSettingsBuilder.withDefaults("orders"),
                                QueueSettingsBuilder.withDefaults("mails")));
    }

    @Test
    void aNameAloneIsAQueueWithDefaults() {
        runner.withInitializer(yaml("""
                        delayqueue:
                          queues:
                            orders:
                        """))
                .run(context -> assertThat(context.getBean(QueueCatalog.class).all())
                        .containsExactly(QueueSettingsBuilder.withDefaults("orders")));
    }

    @Test
    void anEmptyMapDoesNotHideWhatAnotherSourceSays() {
        runner.withInitializer(yaml("delayqueue: {queues: {orders: {}}}"))
                .withPropertyValues("delayqueue.queues.orders.shards=7")
                .run(context -> assertThat(context.getBean(QueueCatalog.class)
                                .get("orders")
                                .shards())
                        .isEqualTo(7));
    }

    @Test
    void propertiesThatAreReadElsewhereOrSaidTwiceAreNotRefused() {
        runner.withInitializer(yaml("""
                        delayqueue:
                          test.embedded.redis: auto
                          defaults.retry.excludes: [java.lang.IllegalStateException, java.io.IOException]
                          queues:
                            orders: {trigger: {concurrency: 2}}
                            mails:
                            "[shop.returns]": {}
                            "[shop_orders]": {lease: 40s}
                        """))
                .withPropertyValues(
                        "delayqueue.defaults.retry.excludes=java.lang.IllegalArgumentException",
                        "delayqueue.queues.orders.maxLeaseExpiries=3",
                        "delayqueue.queues.mails.lease=50s")
                .withSystemProperties("delayqueue.of-somebody-else=x")
                .run(context -> assertThat(context.getBean(QueueCatalog.class).names())
                        .containsExactlyInAnyOrder("orders", "mails", "shop.returns", "shop_orders"));
    }

    @Test
    void anEmptyPartOfAQueueSaysNothing() {
        runner.withInitializer(yaml("delayqueue: {queues: {orders: {lease: 40s, trigger: {}, rabbit: }}}"))
                .run(context -> assertThat(context.getBean(QueueCatalog.class)
                                .get("orders")
                                .lease())
                        .isEqualTo(Duration.ofSeconds(40)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            queues.orders.lease=40s                       | {defaults: [A, B], queues.orders: [java.lang.Error]}
            queues.orders.lease=40s                       | {defaults: "A,B", queues.orders: [java.lang.Error]}
            queues.orders.lease=40s                       | {defaults: [A, B], queues.orders: java.lang.Error}
            defaults.retry.excludes=A                     | {queues.orders: [java.lang.Error]}
            defaults.retry.excludes[0]=java.lang.Error    | {defaults: [A, B]}
            queues.orders.retry.excludes[0]=java.lang.Error | {defaults: [A], queues.orders: [A, B]}
            """)
    void aListIsReadFromOneSourceAndReplacesThatOfTheDefaults(String property, String excludes) {
        runner.withPropertyValues("delayqueue.queues.orders.shards=7", "delayqueue." + name(property))
                .withInitializer(yaml("delayqueue: "
                        + name(excludes)
                                .replace("defaults:", "defaults.retry.excludes:")
                                .replace("orders:", "orders.retry.excludes:")))
                .run(context -> assertThat(context.getBean(QueueCatalog.class)
                                .get("orders")
                                .retry()
                                .excludes())
                        .isEqualTo(Set.of(Error.class)));
    }

    private static String name(String text) {
        return text.replaceAll("\\bA\\b", "java.io.IOException").replaceAll("\\bB\\b", "java.lang.ArithmeticException");
    }

    @Test
    void anEmptyListReplacesThatOfTheDefaults() {
        runner.withInitializer(yaml("""
                        delayqueue:
                          defaults.retry.excludes: [java.io.IOException]
                          queues.orders.retry.excludes: []
                        """))
                .run(context -> assertThat(context.getBean(QueueCatalog.class)
                                .get("orders")
                                .retry()
                                .excludes())
                        .isEmpty());
    }

    @Test
    void aQueueThatIsTextIsRefused() {
        runner.withPropertyValues("delayqueue.queues.orders=7")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("Failed to bind properties under 'delayqueue.queues.orders'"));
    }

    @Test
    void namesWithDotsAndUnderscoresAreBracketed() {
        runner.withInitializer(yaml("""
                        delayqueue:
                          queues:
                            "[shop.orders]": {shards: 2}
                            "[order_mails]": {}
                            Returns: {}
                            plain_underscore: {}
                        """))
                .run(context -> assertThat(context.getBean(QueueCatalog.class).names())
                        .containsExactlyInAnyOrder("shop.orders", "order_mails", "Returns", "plain_underscore"));
    }

    private static org.springframework.context.ApplicationContextInitializer<ConfigurableApplicationContext> yaml(
            String text) {
        return context -> {
            try {
                new YamlPropertySourceLoader()
                        .load("test.yml", new ByteArrayResource(text.getBytes(StandardCharsets.UTF_8)))
                        .forEach(context.getEnvironment().getPropertySources()::addLast);
            } catch (IOException ex) {
                throw new IllegalStateException(ex);
            }
        };
    }
}
