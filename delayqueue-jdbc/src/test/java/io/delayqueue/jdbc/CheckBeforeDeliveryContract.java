// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.CancelOutcome;
import io.delayqueue.Due;
import io.delayqueue.LogLines;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.test.server.RedisServer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

/** What {@code delayqueue.jdbc.check-before-delivery} promises, on any database. */
abstract class CheckBeforeDeliveryContract {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /** Enough for a transaction, on a busy machine. */
    private static final Duration SOON = Duration.ofMillis(2500);

    private static final String[] CHECKED = {
        "delayqueue.transactions=outbox",
        "delayqueue.jdbc.check-before-delivery=orders",
        "delayqueue.queues.orders.retry.delay=100ms"
    };

    private RedisServer redis;
    private String keyPrefix;
    private boolean started;

    abstract DataSource dataSource();

    @BeforeEach
    void prepare(RedisServer redis) {
        this.redis = redis;
        this.keyPrefix = "t" + System.nanoTime();
    }

    @AfterEach
    void deleteRows() {
        if (started) {
            new JdbcTemplate(dataSource()).update("DELETE FROM delayqueue_outbox");
        }
    }

    private OutboxApplication start(String... properties) {
        List<String> all = new ArrayList<>(List.of(properties));
        all.addAll(List.of("delayqueue.redis.command-timeout=1s", "delayqueue.jdbc.relay.lease=4s"));
        OutboxApplication app =
                new OutboxApplication(dataSource(), redis.uri().toString(), keyPrefix, all.toArray(String[]::new));
        started = true;
        return app;
    }

    private OutboxApplication startWithoutRelay(String... properties) {
        String[] all = Arrays.copyOf(properties, properties.length + 1);
        all[properties.length] = "delayqueue.jdbc.relay.enabled=false";
        return start(all);
    }

    @Test
    void cancelWhenItHasCommittedBeforeTheDeliveryBeginsWinsAlthoughNothingIsRelayed() {
        try (OutboxApplication app = startWithoutRelay(CHECKED)) {
            cancelInTime(app);
            await().during(Duration.ofSeconds(2))
                    .atMost(PATIENCE)
                    .until(() -> app.heard().delivered.isEmpty());
            assertThat(app.tasks().find("orders", "a"))
                    .hasValueSatisfying(task -> assertThat(task.failures()).isZero());
        }
        try (OutboxApplication app = start(CHECKED)) {
            await().atMost(PATIENCE).untilAsserted(() -> assertThat(app.rows()).isZero());
            assertThat(app.heard().delivered).isEmpty();
            assertThat(app.heard().sent)
                    .singleElement()
                    .satisfies(sent -> assertThat(sent.outcome())
                            // it may meet the lease of a process that is just asking
                            .isIn(CancelOutcome.CANCELLED, CancelOutcome.IN_FLIGHT));
            assertThat(app.tasks().find("orders", "a")).isEmpty();
        }
    }

    @Test
    void groupCancelWhenItHasCommittedBeforeTheDeliveryBeginsWinsAlthoughNothingIsRelayed() {
        try (OutboxApplication app = startWithoutRelay(CHECKED)) {
            app.tasks()
                    .schedule(ScheduleRequest.to("orders")
                            .group("g")
                            .id("a")
                            .payload("x")
                            .dueIn(SOON)
                            .build());
            app.transactions()
                    .executeWithoutResult(
                            status -> app.tasks().group("orders", "g").cancel());
            await().during(SOON.plusSeconds(2))
                    .atMost(PATIENCE)
                    .until(() -> app.heard().delivered.isEmpty());
        }
        try (OutboxApplication app = start(CHECKED)) {
            await().atMost(PATIENCE).untilAsserted(() -> assertThat(app.rows()).isZero());
            assertThat(app.heard().delivered).isEmpty();
            assertThat(app.tasks().group("orders", "g").count()).isZero();
        }
    }

    /** The purpose of the check: without it the same cancel is too late. */
    @Test
    void cancelWhenTheQueueIsNotCheckedAndNothingIsRelayedComesTooLate() {
        try (OutboxApplication app = startWithoutRelay("delayqueue.transactions=outbox")) {
            cancelInTime(app);
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(app.heard().delivered).containsExactly("a"));
        }
    }

    private static void cancelInTime(OutboxApplication app) {
        Instant due = Instant.now().plus(SOON);
        app.tasks().schedule(requestTo("orders", "a", "x", due));
        app.transactions()
                .executeWithoutResult(
                        status -> assertThat(app.tasks().cancel("orders", "a")).isEqualTo(CancelOutcome.DEFERRED));
        assertThat(Instant.now()).isBefore(due);
        await().atMost(PATIENCE).until(() -> Instant.now().isAfter(due));
    }

    @Test
    void rescheduleWhenItHasCommittedBeforeTheDeliveryBeginsWins() {
        try (OutboxApplication app = startWithoutRelay(CHECKED)) {
            app.tasks().schedule(requestTo("orders", "a", "x", SOON));
            app.transactions()
                    .executeWithoutResult(
                            status -> app.tasks().reschedule("orders", "a", Due.after(Duration.ofHours(1))));
            await().during(SOON.plusSeconds(2))
                    .atMost(PATIENCE)
                    .until(() -> app.heard().delivered.isEmpty());
        }
    }

    @Test
    void cancelWhenItsTransactionRollsBackHoldsNothingBack() {
        try (OutboxApplication app = start(CHECKED)) {
            app.tasks().schedule(requestTo("orders", "a", "x", Duration.ofMillis(500)));
            app.transactions().executeWithoutResult(status -> {
                app.tasks().cancel("orders", "a");
                status.setRollbackOnly();
            });
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(app.heard().delivered).containsExactly("a"));
        }
    }

    /** The row still exists at the delivery. While it exists, it is unknown which of its operations Redis has. */
    @Test
    void updateWhenRedisHasItAlreadyHoldsTheDeliveryBackForAMomentOnly() {
        try (OutboxApplication app = start(
                "delayqueue.transactions=outbox",
                "delayqueue.jdbc.check-before-delivery=orders",
                "delayqueue.queues.orders.retry.delay=1m",
                "delayqueue.queues.orders.retry.jitter=0")) {
            for (int i = 0; i < 5; i++) {
                String id = "id-" + i;
                app.tasks().schedule(requestTo("orders", id, "x", Duration.ofHours(1)));
                app.transactions().executeWithoutResult(status -> {
                    app.tasks().updatePayload("orders", id, "y");
                    app.tasks().reschedule("orders", id, Due.after(Duration.ZERO));
                });
                await().pollInterval(Duration.ofMillis(5))
                        .atMost(PATIENCE)
                        .until(() -> app.heard().delivered.contains(id));
            }
        }
    }

    /** The row of each is there still when it is delivered. */
    @Test
    void tasksWhenTheyAreDueWithTheCommitAreNotHeldBackByTheirOwnRows() {
        try (OutboxApplication app = start(CHECKED);
                LogLines log = new LogLines()) {
            for (int i = 0; i < 20; i++) {
                String id = "id-" + i;
                app.transactions()
                        .executeWithoutResult(
                                status -> app.tasks().schedule(requestTo("orders", id, "x", Duration.ZERO)));
                await().pollInterval(Duration.ofMillis(5))
                        .atMost(PATIENCE)
                        .until(() -> app.heard().delivered.contains(id));
            }
            assertThat(log.all()).noneMatch(line -> line.contains("Holding back"));
        }
    }
}
