// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.ScheduleRequest;
import io.delayqueue.control.Caller;
import io.delayqueue.control.QueuePermission;
import io.delayqueue.internal.console.ConsoleAnswer.Whole;
import io.delayqueue.internal.console.request.ConsoleRequest;
import io.delayqueue.internal.console.request.ConsoleRequest.Origin;
import io.delayqueue.internal.control.QueueControl;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.queue.QueueSettings;
import io.delayqueue.internal.queue.QueueSettingsBuilder;
import io.delayqueue.internal.redis.StoreFixture;
import io.delayqueue.trigger.TestQueues;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The overview of 200 queues in Redis, on a clock that the test moves. The caller may not read the queue hidden. */
class OverviewIntegrationTests {

    private static final int READABLE = 199;
    private static final Instant NOON = Instant.parse("2030-01-01T12:00:30Z");

    private final AtomicReference<Instant> time = new AtomicReference<>(NOON);
    private final StoreFixture server = new StoreFixture();
    private final List<QueueSettings> settings = IntStream.rangeClosed(0, READABLE)
            .mapToObj(i ->
                    QueueSettingsBuilder.of(i == READABLE ? "hidden" : "q" + i).build())
            .toList();
    private final TestQueues queues = new TestQueues(time::get, settings.toArray(QueueSettings[]::new));
    private final QueueControl control = new QueueControl(
            queues.admin(),
            queues.template(),
            (caller, queue) -> queue.equals("hidden") ? Set.of() : Set.of(QueuePermission.READ),
            null,
            List.of(),
            queues.store(),
            List::of,
            Map::of,
            null);
    private final Console console =
            new Console(control, new QueueCatalog(settings), new Installation("shop", null, "/delayqueue", null));

    @AfterEach
    void close() {
        control.close();
        queues.close();
        server.close();
    }

    private Whole get(String path) {
        return (Whole) console.answer(new ConsoleRequest(
                "GET",
                path,
                Map.of(),
                Caller.of(() -> "ann", role -> true),
                "/delayqueue",
                Map::of,
                new Origin("same-origin", null, "localhost"),
                time.get()));
    }

    private String text(String path) {
        return new String(get(path).body(), StandardCharsets.UTF_8);
    }

    private void schedule(String id, Instant dueAt) {
        queues.template()
                .schedule(ScheduleRequest.to("q0")
                        .id(id)
                        .payload("x")
                        .dueAt(dueAt)
                        .build());
    }

    /** Adds deliveries to the minute that began some whole minutes before noon. */
    private void delivered(int minutesAgo, long count) {
        time.set(NOON.minus(Duration.ofMinutes(minutesAgo)));
        queues.store().rates().add("q0", Map.of("delivered", count)).join();
        time.set(NOON);
    }

    /** Three of the calls read the number of shards, which may be changing. A background task may read it once more. */
    @Test
    void overviewOfManyQueuesMakesSixCallsForEach() {
        IntStream.range(0, 300).forEach(i -> schedule("t" + i, NOON.plusSeconds(i * 20)));
        text("");
        long before = server.scriptCalls();

        assertThat(text("")).contains(">All 199</a>", "data-queue=\"q198\"");

        assertThat(server.scriptCalls() - before).isBetween(6L * READABLE, 7L * READABLE);
    }

    @Test
    void overviewWhenABacklogGrowsSaysHowFast() {
        schedule("late", NOON.minusSeconds(60));
        IntStream.range(0, 30).forEach(i -> schedule("soon-" + i, NOON.plusSeconds(30 + i)));
        assertThat(text(""))
                .contains("1</b> overdue", "<b> 6 more tasks a minute</b> are due", ">+6/min expected</span>");

        // The current minute is not over, so it says nothing about the rate.
        delivered(0, 100);
        IntStream.rangeClosed(1, 5).forEach(ago -> delivered(ago, 4));
        assertThat(text(""))
                .contains("<b> 2 more tasks a minute</b> are due in the next 5 minutes than were attempted");

        IntStream.rangeClosed(1, 5).forEach(ago -> delivered(ago, 2));
        assertThat(text("")).contains("1</b> overdue").doesNotContain("a minute</b>", "expected</span>");
    }

    @Test
    void exportContainsTheFiguresOfTheReadableQueues() {
        schedule("late", NOON.minusSeconds(60));
        schedule("soon", NOON.plusSeconds(60));
        delivered(1, 7);

        assertThat(get("queues.csv").headers())
                .containsEntry("Content-Disposition", "attachment; filename=\"queues.csv\"");
        assertThat(text("queues.csv").lines())
                .hasSize(1 + READABLE)
                .contains(
                        "queue,status,scheduled,overdue,overKeyLimits,inProgress,dead,diedInLastHour,"
                                + "attemptsInLast5Minutes,failedInLast5Minutes",
                        "\"q0\",BEHIND,1,1,0,0,0,0,7,0",
                        "\"q1\",RUNNING,0,0,0,0,0,0,0,0")
                .noneMatch(line -> line.contains("hidden"));
    }
}
