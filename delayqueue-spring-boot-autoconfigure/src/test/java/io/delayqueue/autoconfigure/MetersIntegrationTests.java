// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.annotation.DelayQueueListener;
import io.delayqueue.delivery.Delivery;
import io.delayqueue.delivery.DeliveryInterceptor;
import io.delayqueue.handler.RetryLaterException;
import io.delayqueue.internal.autoconfigure.metrics.QueueGauges;
import io.delayqueue.test.server.EmbeddedAmqpBroker;
import io.delayqueue.test.server.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** The meters of an application with a meter registry and no settings, on a real Redis and an AMQP broker. */
class MetersIntegrationTests {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Pattern ROW =
            Pattern.compile("(?m)^\\| `(delayqueue[\\w.]+)` \\| (\\w+)[^|]*\\| ([^|]*) \\| [^|]+\\|$");

    private final RedisServer redis = RedisServer.embedded().start();
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DataRedisAutoConfiguration.class,
                    JacksonAutoConfiguration.class,
                    RabbitAutoConfiguration.class,
                    DelayQueueAutoConfiguration.class,
                    DelayQueueRabbitAutoConfiguration.class))
            .withPropertyValues("spring.data.redis.url=" + redis.uri());
    private final ApplicationContextRunner measured = runner.withConfiguration(AutoConfigurations.of(
                    MetricsAutoConfiguration.class,
                    CompositeMeterRegistryAutoConfiguration.class,
                    ObservationAutoConfiguration.class))
            .withBean(MeterRegistry.class, SimpleMeterRegistry::new);

    @AfterEach
    void close() {
        redis.close();
    }

    @Test
    void metersWhenBothDestinationsDeliverAreThoseThatTheDocumentNames() {
        try (EmbeddedAmqpBroker broker = new EmbeddedAmqpBroker()) {
            broker.start();
            measured.withBean(Handlers.class)
                    .withPropertyValues(
                            "spring.rabbitmq.addresses=" + broker.uri(),
                            "delayqueue.metrics.interval=1s",
                            "delayqueue.queues.orders.retry.max-retries=0",
                            "delayqueue.queues.orders.expired=delete",
                            "delayqueue.queues.mails.rabbit.exchange=shop",
                            "delayqueue.queues.mails.rabbit.declare.exchange-type=direct",
                            "delayqueue.queues.mails.rabbit.declare.queue=mails",
                            "delayqueue.rabbit.intake.partner.delay-queue=mails")
                    .run(context -> {
                        assertThat(context).hasNotFailed();
                        MeterRegistry meters = context.getBean(MeterRegistry.class);
                        DelayQueueOperations operations = context.getBean(DelayQueueOperations.class);
                        operations.schedule(requestTo("orders", "good", Duration.ZERO));
                        operations.schedule(requestTo("orders", "bad", Duration.ZERO));
                        operations.schedule(requestTo("orders", "later", Duration.ofMinutes(5)));
                        operations.schedule(requestTo("mails", "mail", Duration.ZERO));
                        operations.schedule(ScheduleRequest.to("orders")
                                .payload("late")
                                .dueAt(Instant.now().minusSeconds(60))
                                .expiresAfter(Duration.ofSeconds(30))
                                .build());

                        await().atMost(PATIENCE).ignoreExceptions().untilAsserted(() -> {
                            assertThat(deliveries(meters, "orders", "handler", "delivered"))
                                    .isOne();
                            assertThat(deliveries(meters, "orders", "handler", "dead"))
                                    .isOne();
                            assertThat(deliveries(meters, "mails", "rabbitmq", "delivered"))
                                    .isOne();
                            assertThat(gauge(meters, "delayqueue.tasks", "state", "dead"))
                                    .isOne();
                            assertThat(gauge(meters, "delayqueue.tasks", "state", "delayed"))
                                    .isOne();
                            assertThat(gauge(meters, "delayqueue.due.next", "within", "1m"))
                                    .isZero();
                            assertThat(gauge(meters, "delayqueue.due.next", "within", "10m"))
                                    .isOne();
                        });
                        assertThat(meters.get("delayqueue.deliveries.active").gauges())
                                .as("all deliveries have ended")
                                .hasSize(2)
                                .allSatisfy(active -> assertThat(active.value()).isZero());
                        assertThat(meters.get("delayqueue.too.late")
                                        .tag("queue", "orders")
                                        .functionCounter()
                                        .count())
                                .isOne();
                        assertThat(meters.get("delayqueue.lateness")
                                        .tags("queue", "orders", "destination", "handler")
                                        .timer()
                                        .count())
                                .isEqualTo(2);
                        assertThat(meters.get("delayqueue.rabbit.confirms")
                                        .tag("result", "ack")
                                        .functionCounter()
                                        .count())
                                .isOne();
                        assertThat(described(meters)).isEqualTo(documented());
                    });
        }
    }

    /** An alert depends on them, so deliveries that an interceptor refused must not hide a slow handler. */
    @Test
    void activeDeliveriesWhenAnInterceptorRefusedSomeAreThoseThatHandlersAreAt() {
        measured.withBean(Slow.class)
                .withPropertyValues("delayqueue.queues.slow.retry.max-retries=0")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    MeterRegistry meters = context.getBean(MeterRegistry.class);
                    DelayQueueOperations operations = context.getBean(DelayQueueOperations.class);
                    Slow slow = context.getBean(Slow.class);
                    operations.schedule(requestTo("slow", "refused", Duration.ZERO));
                    operations.schedule(requestTo("slow", "refused", Duration.ZERO));
                    await().atMost(PATIENCE)
                            .ignoreExceptions()
                            .until(() -> deliveries(meters, "slow", "handler", "dead") == 2);

                    operations.schedule(requestTo("slow", "slow", Duration.ZERO));
                    try {
                        await().atMost(PATIENCE).until(() -> slow.begun.getCount() == 0);
                        assertThat(gauge(meters, "delayqueue.deliveries.active", "queue", "slow"))
                                .isOne();
                    } finally {
                        slow.end.countDown();
                    }
                    await().atMost(PATIENCE)
                            .until(() -> gauge(meters, "delayqueue.deliveries.active", "queue", "slow") == 0);
                });
    }

    @Test
    void timersWhenTheApplicationObservesAreMadeWithoutLongTaskTimersAndItsOwnAreLeftAlone() {
        measured.withPropertyValues("delayqueue.queues.orders=").run(context -> {
            assertThat(context).hasNotFailed();
            MeterRegistry meters = context.getBean(MeterRegistry.class);

            context.getBean(DelayQueueOperations.class).schedule(requestTo("orders", "x", Duration.ofHours(1)));
            Observation.start("own", context.getBean(ObservationRegistry.class)).stop();

            assertThat(meters.get("delayqueue.schedule")
                            .tags("queue", "orders", "operation", "schedule", "outcome", "created")
                            .tag("error", "none")
                            .timer()
                            .count())
                    .isOne();
            assertThat(meters.getMeters())
                    .extracting(meter -> meter.getId().getName())
                    .contains("own", "own.active")
                    .doesNotContain("delayqueue.schedule.active");
        });
    }

    @Test
    void latenessWhenTasksAreTriedAgainIsThatOfTheirFirstAttempts() {
        measured.withBean(Retrying.class)
                .withPropertyValues("delayqueue.queues.retried.retry.delay=200ms")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    MeterRegistry meters = context.getBean(MeterRegistry.class);
                    DelayQueueOperations operations = context.getBean(DelayQueueOperations.class);
                    operations.schedule(requestTo("retried", "fails", Duration.ZERO));
                    operations.schedule(requestTo("retried", "waits", Duration.ZERO));

                    await().atMost(PATIENCE).ignoreExceptions().untilAsserted(() -> {
                        assertThat(deliveries(meters, "retried", "handler", "failed"))
                                .isEqualTo(2);
                        assertThat(deliveries(meters, "retried", "handler", "postponed"))
                                .isEqualTo(2);
                        assertThat(deliveries(meters, "retried", "handler", "delivered"))
                                .isEqualTo(2);
                    });
                    assertThat(meters.get("delayqueue.lateness")
                                    .tag("queue", "retried")
                                    .timer()
                                    .count())
                            .isEqualTo(2);
                });
    }

    @Test
    void gaugesWhenRedisHasNeverAnsweredAgeFromTheStart() {
        measured.withPropertyValues(
                        "spring.data.redis.url=redis://127.0.0.1:1",
                        "delayqueue.queues.orders=",
                        "delayqueue.metrics.interval=1s")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    MeterRegistry meters = context.getBean(MeterRegistry.class);
                    await().atMost(PATIENCE).until(() -> gauge(meters, "delayqueue.tasks.age", "queue", "orders") > 2);
                    assertThat(gauge(meters, "delayqueue.tasks", "state", "ready"))
                            .isNaN();
                });
    }

    @Test
    void gaugesWhenATaskIsOverdueSayForHowLongItWaits() {
        measured.withPropertyValues("delayqueue.queues.orders.shards=3", "delayqueue.metrics.interval=1s")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    MeterRegistry meters = context.getBean(MeterRegistry.class);
                    DelayQueueOperations operations = context.getBean(DelayQueueOperations.class);
                    for (int i = 0; i < 10; i++) {
                        operations.schedule(requestTo(
                                "orders", "order-" + i, "x", Instant.now().minusSeconds(100 + i)));
                    }
                    context.getBean(DelayQueueAdmin.class).pause("orders");

                    await().atMost(PATIENCE).untilAsserted(() -> {
                        assertThat(gauge(meters, "delayqueue.tasks", "state", "ready"))
                                .isEqualTo(10);
                        assertThat(gauge(meters, "delayqueue.paused", "queue", "orders"))
                                .isOne();
                    });
                    assertThat(gauge(meters, "delayqueue.overdue.age", "queue", "orders"))
                            .isBetween(108.0, 140.0);
                });
    }

    @Test
    void gaugesWhenRedisStandsStillAreReadAtOnceGrowOldAndAreThenGone() {
        measured.withPropertyValues("delayqueue.queues.orders=", "delayqueue.metrics.interval=1s")
                .run(context -> {
                    MeterRegistry meters = context.getBean(MeterRegistry.class);
                    await().atMost(PATIENCE).until(() -> gauge(meters, "delayqueue.tasks", "state", "ready") == 0);
                    redis.suspend();
                    try {
                        await().atMost(PATIENCE).untilAsserted(() -> {
                            long before = System.nanoTime();
                            double ready = gauge(meters, "delayqueue.tasks", "state", "ready");
                            double age = gauge(meters, "delayqueue.tasks.age", "queue", "orders");
                            assertThat(Duration.ofNanos(System.nanoTime() - before))
                                    .isLessThan(Duration.ofMillis(500));
                            assertThat(ready).isNaN();
                            assertThat(age).isGreaterThan(2);
                        });
                        await().atMost(PATIENCE)
                                .until(() -> meters.get("delayqueue.redis.failures")
                                                .tag("reason", "timeout")
                                                .functionCounter()
                                                .count()
                                        > 0);
                    } finally {
                        redis.resume();
                    }
                    await().atMost(PATIENCE).until(() -> gauge(meters, "delayqueue.tasks", "state", "ready") == 0);
                });
    }

    @Test
    void gaugesWhenQueuesHaveManyShardsCostOneCommandForEachShardInAnInterval() {
        long before = outlooks();
        long begin = System.nanoTime();
        measured.withPropertyValues(
                        "delayqueue.queues.orders.shards=8",
                        "delayqueue.queues.mails.shards=8",
                        "delayqueue.metrics.interval=10s")
                .run(context -> {
                    MeterRegistry meters = context.getBean(MeterRegistry.class);
                    await().atMost(Duration.ofMinutes(1))
                            .until(() -> gauge(meters, "delayqueue.tasks", "queue", "orders") == 0
                                    && gauge(meters, "delayqueue.tasks", "queue", "mails") == 0);
                    double seconds = (System.nanoTime() - begin) / 1e9;
                    // The start check makes one call of its own.
                    assertThat(outlooks() - before).isBetween(16L, 1 + 16 * (1 + (long) (seconds / 10)));
                });
    }

    @Test
    void metersWhenThereIsNoRegistryAskRedisNothing() {
        runner.withPropertyValues("delayqueue.queues.orders=").run(context -> {
            assertThat(context).hasNotFailed().hasSingleBean(QueueGauges.class);
            long asked = outlooks();
            await().during(Duration.ofSeconds(3)).atMost(Duration.ofMinutes(1)).until(() -> outlooks() == asked);
        });
    }

    @Test
    void metersWhenMicrometerIsMissingAreNot() {
        runner.withClassLoader(new FilteredClassLoader("io.micrometer.core"))
                .withPropertyValues("delayqueue.queues.orders=")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context.getBeanDefinitionNames())
                            .noneMatch(name -> name.startsWith("delayQueue") && name.endsWith("Meters"));
                });
    }

    /** Returns the calls of the counting script, the only periodic one for idle queues without triggers. */
    private long outlooks() {
        RedisClient client = RedisClient.create(RedisURI.create(redis.adminUri()));
        try {
            String stats = client.connect().sync().info("commandstats");
            return Pattern.compile("cmdstat_zrange:calls=(\\d+)")
                    .matcher(stats)
                    .results()
                    .mapToLong(calls -> Long.parseLong(calls.group(1)))
                    .sum();
        } finally {
            client.shutdown();
        }
    }

    private static double deliveries(MeterRegistry meters, String queue, String destination, String outcome) {
        return meters.get("delayqueue.deliveries")
                .tags("queue", queue, "destination", destination, "outcome", outcome)
                .functionCounter()
                .count();
    }

    private static double gauge(MeterRegistry meters, String name, String tag, String value) {
        return meters.get(name).tag(tag, value).gauges().stream()
                .filter(gauge -> !"mails".equals(gauge.getId().getTag("queue")) || value.equals("mails"))
                .findFirst()
                .orElseThrow()
                .value();
    }

    /** By name: the type and the tags. */
    private static Map<String, String> described(MeterRegistry meters) {
        Map<String, String> all = new TreeMap<>();
        for (Meter meter : meters.getMeters()) {
            Meter.Id id = meter.getId();
            boolean bucket = id.getTag("le") != null;
            if (id.getName().startsWith("delayqueue.") && !bucket) {
                Set<String> tags =
                        id.getTags().stream().map(Tag::getKey).collect(Collectors.toCollection(TreeSet::new));
                all.put(id.getName(), id.getType().name().toLowerCase(java.util.Locale.ROOT) + " " + tags);
            }
        }
        return all;
    }

    private static Map<String, String> documented() throws IOException {
        String page = Files.readString(Path.of("../docs/metrics.md"));
        return ROW.matcher(page)
                .results()
                .collect(Collectors.toMap(
                        row -> row.group(1), row -> row.group(2) + " " + tags(row), (one, other) -> one, TreeMap::new));
    }

    private static Set<String> tags(MatchResult row) {
        return Arrays.stream(row.group(3).replace("`", "").split(", ")).collect(Collectors.toCollection(TreeSet::new));
    }

    /** Twice, of each task. */
    static class Retrying {

        private final AtomicInteger failed = new AtomicInteger();
        private final AtomicInteger postponed = new AtomicInteger();

        @DelayQueueListener(queue = "retried")
        void handle(String payload) {
            if (payload.equals("fails") && failed.incrementAndGet() <= 2) {
                throw new IllegalStateException("on purpose");
            }
            if (payload.equals("waits") && postponed.incrementAndGet() <= 2) {
                throw RetryLaterException.uncounted("on purpose", Duration.ofMillis(200));
            }
        }
    }

    /** Refuses the marked deliveries, and blocks the others until they may end. */
    static class Slow implements DeliveryInterceptor {

        private final CountDownLatch begun = new CountDownLatch(1);
        private final CountDownLatch end = new CountDownLatch(1);

        @Override
        public void before(Delivery delivery) {
            if (new String(delivery.content().payload(), StandardCharsets.UTF_8).contains("refused")) {
                throw new IllegalStateException("on purpose");
            }
        }

        @DelayQueueListener(queue = "slow")
        void handle(String payload) throws InterruptedException {
            begun.countDown();
            end.await();
        }
    }

    static class Handlers {

        @DelayQueueListener(queue = "orders")
        void handle(String payload) {
            if (payload.equals("bad")) {
                throw new IllegalStateException("on purpose");
            }
        }
    }
}
