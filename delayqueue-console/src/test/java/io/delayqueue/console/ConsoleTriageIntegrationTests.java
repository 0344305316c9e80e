// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.EncodedPayload;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.annotation.DelayQueueListener;
import io.delayqueue.handler.NonRetryableTaskException;
import io.delayqueue.internal.input.ProcessName;
import io.delayqueue.internal.store.NotedQueue;
import io.delayqueue.internal.store.QueueNoteStore;
import io.delayqueue.internal.store.TaskStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.TestPropertySource;

/** What an operator does first when deliveries fail. */
@TestPropertySource(
        properties = {
            "delayqueue.key-prefix=triage",
            "delayqueue.queues.webhooks.shards=2",
            "delayqueue.queues.webhooks.retry.delay=10m"
        })
@Import(ConsoleTriageIntegrationTests.Partner.class)
class ConsoleTriageIntegrationTests extends ConsoleScene {

    private static final CountDownLatch HELD = new CountDownLatch(1);

    private static final Pattern IDS = Pattern.compile("<tr data-id=\"([^\"]+)\">");

    @Autowired
    private TaskStore store;

    @TestConfiguration(proxyBeanMethods = false)
    static class Partner {

        @DelayQueueListener(queue = "webhooks")
        void call(String hook) throws InterruptedException {
            if (hook.endsWith("held")) {
                HELD.await();
                return;
            }
            if (hook.endsWith("wrong")) {
                throw new NonRetryableTaskException("404 Not Found");
            }
            throw new IllegalStateException("Connection refused");
        }
    }

    @BeforeEach
    void emptyWebhooks() {
        admin.purge("webhooks", "webhooks");
    }

    private static List<String> ids(String page) {
        return IDS.matcher(page).results().map(found -> found.group(1)).toList();
    }

    private String tasksOf(String queue, String query) {
        return get("operator", "/queues/" + queue + "/tasks?" + query).body();
    }

    @Test
    void deadTasksHaveTheNewestFirstInAllShards() {
        for (int i = 0; i < 8; i++) {
            makeDead("d-" + i);
        }

        assertThat(ids(tasksOf("orders", "state=dead")))
                .containsExactly("d-7", "d-6", "d-5", "d-4", "d-3", "d-2", "d-1", "d-0");
        assertThat(ids(tasksOf("orders", "state=dead&size=3"))).containsExactly("d-7", "d-6", "d-5");
    }

    @Test
    void tasksThatWaitForARetryHaveATabAndTheirNumber() {
        schedule("webhooks", "first", FAR);
        IntStream.range(0, 3).forEach(i -> schedule("webhooks", "again-" + i, Instant.EPOCH));
        await().until(() -> tasksOf("webhooks", "retrying=true").contains("3 tasks"));

        String page = tasksOf("webhooks", "retrying=true");

        assertThat(page)
                .contains("aria-current=\"page\">Retrying</a>", "<b>3 tasks</b>")
                .contains("/queues/webhooks/bulk?state=waiting&amp;retrying=true")
                .contains("Connection refused");
        assertThat(ids(page)).containsExactlyInAnyOrder("again-0", "again-1", "again-2");
        assertThat(tasksOf("webhooks", "retrying=true&size=2")).contains("<b>3 tasks</b>");
        assertThat(get("operator", "/queues/webhooks/bulk?retrying=true").body())
                .containsPattern("name=\"retrying\"[^>]* checked");
    }

    @Test
    void failingQueueWhenATaskIsQuarantinedShowsTheLastReason() {
        tasks.schedule(ScheduleRequest.to("webhooks")
                .id("unreadable")
                .payload(new EncodedPayload("application/x-other", new byte[] {7}))
                .dueAt(Instant.EPOCH)
                .build());
        await().until(() -> admin.stats("webhooks").dead() == 1);
        for (int i = 0; i < 9; i++) {
            schedule("webhooks", i + "wrong", Instant.EPOCH);
        }

        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(
                        () -> assertThat(get("operator", "/").body()).contains("Last reason: </b>404 Not Found"));
    }

    @Test
    void tasksInProgressAreListedWithTheProcessThatHoldsThem() {
        schedule("webhooks", "held", Instant.EPOCH);
        await().until(() -> ids(tasksOf("webhooks", "state=leased")), List.of("held")::equals);

        assertThat(tasksOf("webhooks", "state=leased"))
                .contains("<td class=\"code\" data-l=\"Held by\">" + ProcessName.OWN + "</td>")
                .doesNotContain("name=\"chosen-");
        HELD.countDown();
    }

    @Test
    void failuresShowTheQueueWithTheMostDeadTasksAndLinkToTheOthers() {
        makeDead("d-1", "d-2");
        assertThat(get("operator", "/failures").body()).doesNotContain("aria-label=\"Queue\"");
        schedule("webhooks", "wrong", Instant.EPOCH);
        await().until(() -> admin.stats("webhooks").dead() == 1);

        assertThat(get("operator", "/failures").body())
                .contains(
                        "<h1>orders</h1>",
                        "payment service says &lt;b&gt;503",
                        "<span class=\"sub\">IllegalStateException</span>",
                        "<a href=\"/delayqueue/queues/webhooks/reasons\">webhooks 1</a>");
        assertThat(get("customer", "/failures").body()).contains("The queues that you may see have no dead tasks");
    }

    @Test
    void listsSayHowManyTasksMatch() {
        IntStream.range(0, 60).forEach(i -> schedule("mails", "m-" + i, FAR.plusSeconds(i)));
        schedule("mails", "other", FAR.plus(Duration.ofDays(1)));

        assertThat(tasksOf("mails", "from=" + FAR + "&until=" + FAR.plusSeconds(55)))
                .contains("<b>55 tasks</b>");
        assertThat(tasksOf("mails", "until=" + FAR.plusSeconds(55))).contains("<b>55 tasks</b>");
        assertThat(tasksOf("mails", "idPrefix=m-1")).contains("<b>11 tasks</b>");
        assertThat(tasksOf("mails", "idPrefix=m-")).contains("<b>50+ tasks</b>");
        assertThat(tasksOf("mails", "idPrefix=none")).contains("<b>0 tasks</b>", "No matching tasks");
    }

    @Test
    void tenTasksOfAReasonAreTriedFirst() {
        List<String> ids = IntStream.range(0, 12).mapToObj(i -> "d-" + i).toList();
        makeDead(ids.toArray(String[]::new));
        admin.pause("orders");
        String page = get("operator", "/queues/orders/reasons?from=-1h").body();
        String form = page.replaceAll(
                "(?s).*(<form method=\"post\" action=\"/delayqueue/queues/orders/redrive\">.*?</form>).*", "$1");
        assertThat(form).contains("Try 10 first", "name=\"first\" value=\"10\"", "name=\"from\" value=\"-1h\"");
        String reason = Pattern.compile("name=\"exactReason\" value=\"([^\"]+)\"")
                .matcher(form)
                .results()
                .map((MatchResult found) -> found.group(1))
                .findFirst()
                .orElseThrow();

        var answer = post(
                "operator",
                "/queues/orders/reasons",
                "/queues/orders/redrive",
                Map.of(
                        "back", "reasons",
                        "first", "10",
                        "from", "-1h",
                        "exactReason", reason.replace("&lt;", "<").replace("&gt;", ">")));

        assertThat(answer.headers().firstValue("Location").orElseThrow())
                .endsWith("/queues/orders/reasons?done=redrive-first&of=10&paused=true");
        assertThat(admin.stats("orders").dead()).isEqualTo(2);
        assertThat(admin.stats("orders").ready()).isEqualTo(10);
        assertThat(get("operator", "/queues/orders/reasons?done=redrive-first&of=10&paused=true")
                        .body())
                .contains("The newest 10 tasks were redriven")
                .doesNotContain("Try 10 first");
        assertThat(get("support", "/queues/orders/reasons").body()).doesNotContain("Try 10 first");
    }

    @Test
    void queueShowsTheSettingsOfItsProcessesAndTaskTheNumberOfItsAttempts() {
        schedule("webhooks", "tried", Instant.EPOCH);
        await().until(() -> tasksOf("webhooks", "retrying=true").contains("tried"));
        await().until(() -> get("support", "/queues/webhooks").body().contains("<h2>Settings</h2>"));

        assertThat(get("support", "/queues/webhooks").body())
                .contains("<dt class=\"code\">retry.delay</dt><dd>10m</dd>", "<dd>handler</dd>")
                .doesNotContain("differs between processes");
        assertThat(get("support", "/queues/webhooks/task?id=tried").body())
                .contains("1 of 36 attempts failed. Next retry", "<dt>Attempts</dt><dd>1 of 36 failed</dd>");

        String other = "30000 2 limits:none shop handler\tretry.max-retries=4\tretry.delay=10m";
        store.queueNotes()
                .note(
                        "4711@other",
                        QueueNoteStore.Kind.QUEUES,
                        List.of(new NotedQueue("webhooks", true, other, "4711@other", true)),
                        Duration.ofMinutes(2))
                .join();
        assertThat(get("support", "/queues/webhooks").body())
                .contains(
                        "<dt class=\"code\">retry.max-retries</dt><dd>35 / 4 "
                                + "<span class=\"pill warn\">differs between processes</span></dd>",
                        "<dt class=\"code\">retry.delay</dt><dd>10m</dd>");
        assertThat(get("support", "/queues/webhooks/task?id=tried").body())
                .contains("1 attempt failed. Next retry", "<dt>Attempts</dt><dd>1 failed</dd>");
    }

    /** Each process reports for the first time after ten seconds. */
    @Test
    void processesThatDeliverAreListedWithTheirQueues() {
        await().atMost(Duration.ofSeconds(40))
                .until(() -> get("support", "/instances").body().contains(">webhooks</a>"));

        assertThat(get("support", "/instances").body())
                .contains(ProcessName.OWN, ">orders</a>", "In progress\">0</td>", "Threads\">0 of 8 busy<svg")
                .doesNotContain(">mails</a>");
        assertThat(get("support", "/queues/orders").body()).contains("Delivered by", ProcessName.OWN);
        assertThat(get("support", "/queues/mails").body()).contains("No process has reported for this queue yet");
        assertThat(get("customer", "/instances").body())
                .contains("No process has reported")
                .doesNotContain(ProcessName.OWN);
    }
}
