// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.console.browser;

import static io.delayqueue.console.web.StaffApplication.OPERATE;
import static io.delayqueue.console.web.StaffApplication.READ;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.delayqueue.ScheduleRequest;
import io.delayqueue.test.server.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;
import tools.jackson.databind.json.JsonMapper;

/** Each thing that the console is for, done as its users do it. */
class ConsoleActionsIntegrationTests extends ConsoleScene {

    private static final Duration FAR = Duration.ofDays(30);
    private static final String BUSY_FOR_100_MILLIS = """
            local function micros() local now = redis.call('TIME') return now[1] * 1000000 + now[2] end
            local from = micros()
            while micros() < from + 100000 do end
            return redis.status_reply('OK')
            """;
    private static final String THREE_TASKS = "#future svg a[aria-label^='3 tasks']";

    @Test
    void queuesShowTheirNumbers() {
        schedule("mails", "m1", FAR);
        schedule("mails", "m2", FAR);
        makeDead("o1", "no money");
        admin.pause("mails");

        open(READ, "/");

        // at first the page may show what was read for others up to two seconds ago
        await().ignoreExceptions()
                .untilAsserted(() -> assertThat(row("mails")).contains("2").contains("Paused"));
        assertThat(row("orders")).contains("1").doesNotContain("Paused");
        browser.clickLabelled("a", "mails").awaitText("Queues / mails");
    }

    private String row(String queue) {
        return browser.texts("tbody tr").stream()
                .filter(text -> text.startsWith(queue))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void histogramTellsACountOnHoveringAndListsTheTasksOnAClick() {
        for (String id : new String[] {"a", "b", "c"}) {
            schedule("mails", id, Duration.ofSeconds(1230));
        }
        schedule("mails", "later", Duration.ofMinutes(45));
        open(READ, "/queues/mails");

        browser.hover(THREE_TASKS);
        assertThat(browser.script("return document.querySelector(arguments[0] + ' title').textContent", THREE_TASKS))
                .asString()
                .startsWith("3 tasks");

        browser.click(THREE_TASKS).awaitText("Export CSV");
        assertThat(browser.texts("tbody th a")).containsExactlyInAnyOrder("a", "b", "c");
    }

    @Test
    void histogramWhenZoomedOutShowsWhatIsDueInMonths() {
        schedule("mails", "summer", Duration.ofDays(200));
        open(READ, "/queues/mails");
        assertThat(browser.has("#future svg a")).isFalse();

        browser.clickLabelled("#future a", "year");

        browser.element("#future svg a[aria-label^='1 task']");
        browser.clickLabelled("#future a", "minute");
        await().until(() -> !browser.has("#future svg a"));
    }

    @Test
    void searchFindsATaskInAllQueuesAndItsPageSaysWhatWillHappen() {
        schedule("mails", "customer-7", Duration.ofHours(3));
        makeDead("customer-7", "no money");
        open(READ, "/");

        browser.type("#search-id", "customer-7").press(Keys.ENTER);

        browser.awaitText("Task in mails").awaitText("Task in orders");
        browser.clickLabelled("a", "Task in mails").awaitText("First delivery");
        assertThat(browser.text()).contains("in 2 hours", "tenant", "acme").doesNotContain("secret");
        assertThat(browser.elements(".timeline li")).isNotEmpty();
        openTask(READ, "orders", "customer-7");
        assertThat(browser.text()).contains("Dead since", "no money");
    }

    @Test
    void cancelWhenAgreedToDeletesTheTask() {
        schedule("mails", "m", FAR);
        openTask(OPERATE, "mails", "m").clickLabelled("button", "Cancel");

        assertThat(browser.accept()).contains("Cancel this task?");

        await().until(() -> !isThere("mails", "m"));
        browser.awaitText("cancelled");
    }

    @Test
    void moveGivesTheTaskItsNewDueTime() {
        schedule("mails", "m", FAR);

        openTask(OPERATE, "mails", "m").type("#to", "90m").clickLabelled("button", "Reschedule");

        Instant expected = Instant.now().plus(90, ChronoUnit.MINUTES);
        await().untilAsserted(
                        () -> assertThat(tasks.find("mails", "m").orElseThrow().dueAt())
                                .isCloseTo(expected, within(1, ChronoUnit.MINUTES)));
        browser.awaitText("First delivery");

        openTask(OPERATE, "mails", "m").type("#to", "soon").clickLabelled("button", "Reschedule");
        browser.awaitText("such as 18:00");
    }

    @Test
    void postponeMovesTheTaskByATime() {
        schedule("mails", "m", FAR);
        Instant dueAt = tasks.find("mails", "m").orElseThrow().dueAt();

        openTask(OPERATE, "mails", "m").click("button[name=by][value='1h']");

        await().untilAsserted(() ->
                assertThat(tasks.find("mails", "m").orElseThrow().dueAt()).isEqualTo(dueAt.plus(1, ChronoUnit.HOURS)));
    }

    @Test
    void deliverNowDeliversTheTask() {
        broken.set(false);
        schedule("orders", "o", FAR);

        openTask(OPERATE, "orders", "o").clickLabelled("button", "Deliver now");

        await().until(() -> !isThere("orders", "o"));
    }

    @Test
    void redriveDeliversADeadTask() {
        makeDead("o", "no money");
        broken.set(false);

        openTask(OPERATE, "orders", "o").clickLabelled("button", "Redrive");

        await().until(() -> !isThere("orders", "o"));
    }

    @Test
    void discardWhenAgreedToDeletesADeadTask() {
        makeDead("o", "no money");
        openTask(OPERATE, "orders", "o").clickLabelled("button", "Discard");

        assertThat(browser.accept()).contains("Discard this task?");

        await().until(() -> !isThere("orders", "o"));
    }

    @Test
    void changeOfManyIsCountedFirstAndThenMade() {
        scheduleMany(120, "{acme}");
        schedule("mails", "other", FAR);
        open(OPERATE, "/queues/mails").clickLabelled("a", "Bulk action…");
        browser.script("document.getElementById('action').value = 'cancel'");
        browser.type("#idPrefix", "{acme}").clickLabelled("button", "Preview");

        await().until(() -> browser.text("#operation-matched").equals("120"));
        assertThat(isThere("mails", "{acme}0")).isTrue();
        browser.awaitText("Nothing was changed");
        browser.click("form.fields button.danger");
        browser.accept();

        await().until(() -> browser.text("#operation-done").equals("120"));
        assertThat(isThere("mails", "{acme}0")).isFalse();
        assertThat(isThere("mails", "other")).isTrue();
        browser.clickLabelled("a", "Bulk actions").awaitText("{acme}");
    }

    @Test
    void changeOfManyWhenStoppedEndsWithSomeLeft(RedisServer redis) {
        scheduleMany(20_000, "b");
        open(OPERATE, "/queues/mails/bulk?action=cancel").type("#idPrefix", "b");
        browser.clickLabelled("button", "Preview");
        await().until(() -> browser.text("#operation-matched").endsWith("000"));
        browser.awaitText("Nothing was changed");

        whileBusy(redis, () -> {
            browser.click("form.fields button.danger");
            browser.accept();
            browser.element("progress");
            browser.clickLabelled("button", "Stop");
        });

        await().until(() ->
                browser.text("#operation-status").toLowerCase(Locale.ROOT).contains("stopped"));
        assertThat(admin.stats("mails").delayed()).isPositive();
    }

    /** Keeps Redis busy for 100 ms at a time, so that a change of many tasks takes longer than the step. */
    private static void whileBusy(RedisServer redis, Runnable step) {
        RedisClient client = RedisClient.create(redis.adminUri().toString());
        AtomicBoolean ended = new AtomicBoolean();
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            CompletableFuture<Void> busy = CompletableFuture.runAsync(() -> {
                while (!ended.get()) {
                    connection.sync().eval(BUSY_FOR_100_MILLIS, ScriptOutputType.STATUS);
                }
            });
            try {
                step.run();
            } finally {
                ended.set(true);
                busy.join();
            }
        } finally {
            client.shutdown();
        }
    }

    private void scheduleMany(int count, String prefix) {
        tasks.scheduleAll(IntStream.range(0, count)
                .mapToObj(i -> ScheduleRequest.to("mails")
                        .id(prefix + i)
                        .payload("p")
                        .dueIn(FAR)
                        .build())
                .toList());
    }

    @Test
    void deadTasksAreGroupedByTheirReasons() {
        makeDead("o1", "no money");
        makeDead("o2", "no money");
        makeDead("o3", "no address");
        open(OPERATE, "/queues/orders").clickLabelled("a", "Failures");

        List<String> rows = browser.texts("tbody tr");
        assertThat(rows)
                .hasSize(2)
                .anyMatch(row -> row.contains("no money") && row.contains("2"))
                .anyMatch(row -> row.contains("no address") && row.contains("1"));
        broken.set(false);
        browser.click(
                "tbody tr:nth-child(%d) td:last-child a".formatted(rows.get(0).contains("no money") ? 1 : 2));
        browser.clickLabelled("button", "Preview");
        await().until(() -> browser.text("#operation-matched").equals("2"));
        browser.awaitText("Nothing was changed").click("form.fields button.primary");
        browser.accept();

        await().until(() -> !isThere("orders", "o1") && !isThere("orders", "o2"));
        assertThat(isDead("o3")).isTrue();
    }

    @Test
    void deadTasksWhoseReasonsDifferInNumbersAreOneKind() {
        makeDead("o1", "Read timed out after 101 ms, order 17");
        makeDead("o2", "Read timed out after 2025 ms, order 71b3-004");
        makeDead("o3", "no address");
        open(OPERATE, "/failures")
                .awaitText("Read timed out after ‹n› ms, order ‹id›")
                .awaitText("2 different texts");
        assertThat(browser.elements("tbody tr")).hasSize(2);

        browser.click("tbody tr:first-child td:last-child a").clickLabelled("button", "Preview");

        await().until(() -> browser.text("#operation-matched").equals("2"));
        browser.awaitText("reason like \"java.lang.IllegalStateException: Read timed out after ‹n› ms, order ‹id›\"");
        browser.clickLabelled("button", "Redrive 2 dead tasks").accept();
        await().until(() -> browser.text("#operation-done").equals("2"));
    }

    @Test
    void pauseAndResumeStopAndStartTheQueue() {
        open(OPERATE, "/queues/mails").clickLabelled("button", "Pause");
        browser.awaitText("paused");
        assertThat(admin.stats("mails").paused()).isTrue();

        browser.clickLabelled("button", "Resume");
        browser.awaitText("Running");
        assertThat(admin.stats("mails").paused()).isFalse();
    }

    @Test
    void reshardWhenAgreedToShowsThatItGoesOn() {
        int before = admin.sharding("mails").shards();
        int after = before == 2 ? 3 : 2;
        scheduleMany(400, "r");
        open(OPERATE, "/queues/mails").type("#shards", String.valueOf(after)).clickLabelled("button", "Reshard");

        assertThat(browser.accept()).contains("Reshard the queue?");

        await().until(() -> admin.sharding("mails").shards() == after);
        browser.awaitText(after + " shards");
        // No process delivers the queue, so the tasks do not migrate.
        browser.awaitText("is being resharded");
        assertThat(admin.stats("mails").delayed()).isEqualTo(400);
    }

    @Test
    void purgeWantsTheNameOfTheQueue() {
        schedule("mails", "m", FAR);
        open(OPERATE, "/queues/mails")
                .clickLabelled("summary", "Empty the queue")
                .type("#confirm", "mail");
        browser.clickLabelled("button", "Delete every task");
        browser.awaitText("mails");
        assertThat(isThere("mails", "m")).isTrue();

        open(OPERATE, "/queues/mails")
                .clickLabelled("summary", "Empty the queue")
                .type("#confirm", "mails");
        browser.clickLabelled("button", "Delete every task");

        await().until(() -> !isThere("mails", "m"));
    }

    @Test
    void exportsSaveTheTasksOfAFilter(@TempDir Path folder) throws Exception {
        schedule("mails", "=1+1", FAR);
        schedule("mails", "b", FAR);
        browser.downloads(folder);
        open(READ, "/queues/mails/tasks").clickLabelled("a", "Export CSV");
        await().until(() -> Files.exists(folder.resolve("mails.csv")));
        browser.clickLabelled("a", "Export JSON");
        await().until(() -> Files.exists(folder.resolve("mails.json")));

        assertThat(Files.readAllLines(folder.resolve("mails.csv")))
                .hasSize(3)
                .noneMatch(line -> line.startsWith("=") || line.contains(",=") || line.contains(",\"="));
        assertThat(new JsonMapper()
                        .readTree(folder.resolve("mails.json").toFile())
                        .toString())
                .contains("=1+1", "\"b\"")
                .doesNotContain("secret");
    }
}
