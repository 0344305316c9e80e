// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.console;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.ScheduleRequest;
import io.delayqueue.TaskState;
import io.delayqueue.internal.console.request.ConsoleRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The effects of the console's forms, and the rejected ones. */
class ConsoleChangesIntegrationTests extends ConsoleScene {

    private static final String TASK = "/queues/mails/task";

    private HttpResponse<String> change(String user, String action, Map<String, String> fields) {
        return post(user, "/queues/mails/bulk", "/queues/mails/" + action + "?id=m", fields);
    }

    private static void assertLeadsTo(HttpResponse<String> answer, String location) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(303);
        assertThat(answer.headers().firstValue("Location").orElseThrow().replaceFirst("&(was|which|is|paused)=.*", ""))
                .endsWith(location);
    }

    /** For a task that is due in years, "1h" as a due time would mean in an hour. */
    @Test
    void taskWhenPostponedIsDueLaterThanItWas() {
        schedule("mails", "m", FAR);

        assertLeadsTo(change("operator", "reschedule", Map.of("by", "1h")), "done=reschedule-rescheduled");
        assertLeadsTo(change("operator", "reschedule", Map.of("by", "-30m")), "done=reschedule-rescheduled");

        assertThat(tasks.find("mails", "m").orElseThrow().dueAt()).isEqualTo(FAR.plus(30, ChronoUnit.MINUTES));
        assertThat(change("operator", "reschedule", Map.of("by", "1h", "to", "1h"))
                        .statusCode())
                .isEqualTo(400);
    }

    @Test
    void allTasksOfAQueueAreCancelledWhenItsNameIsTyped() {
        schedule("mails", "m", FAR);
        String bulk = "/queues/mails/bulk";
        assertThat(get("operator", bulk).body()).contains("<option value=\"\">Choose an action</option>");
        String count = location(post("operator", bulk, bulk, Map.of("action", "cancel", "all", "true")));
        String counted = await().until(() -> get("operator", count).body(), page -> page.contains(">counted<"));
        assertThat(counted).contains("Type the name of the queue, mails");

        assertThat(post("operator", count, formOf(counted), Map.of()).statusCode())
                .isEqualTo(400);
        assertThat(post("operator", count, formOf(counted), Map.of("confirm", "orders"))
                        .statusCode())
                .isEqualTo(400);
        assertThat(tasks.find("mails", "m")).isPresent();
        String ran = location(post("operator", count, formOf(counted), Map.of("confirm", "mails")));

        await().until(() -> get("operator", ran).body(), page -> page.contains(">done<"));
        assertThat(tasks.find("mails", "m")).isEmpty();
    }

    @Test
    void tasksOfAPersonAreErasedAndThePageSaysWhatRemains() {
        tasks.schedule(ScheduleRequest.to("mails")
                .key("person")
                .id("m")
                .payload("p")
                .dueAt(FAR)
                .build());
        schedule("mails", "other", FAR);
        String bulk = "/queues/mails/bulk";
        String count = location(post("operator", bulk, bulk, Map.of("action", "erase", "key", "person")));
        String counted = await().until(() -> get("operator", count).body(), page -> page.contains(">counted<"));
        assertThat(counted)
                .contains("Erase 1 task and records", "<dt>In progress</dt><dd>0</dd>", "<dd>key person</dd>")
                .contains("What an erasure leaves", "backups and replicas of Redis")
                .doesNotContain("What remains", "Type the name");

        String ran = location(post("operator", count, formOf(counted), Map.of()));

        String done = await().until(() -> get("operator", ran).body(), page -> page.contains(">done<"));
        assertThat(done).contains("What remains", "backups and replicas", "<dt>Outbox rows</dt><dd>0 deleted</dd>");
        assertThat(tasks.find("mails", "{person}:m")).isEmpty();
        assertThat(tasks.find("mails", "other")).isPresent();
        String all = location(post("operator", bulk, bulk, Map.of("action", "erase", "all", "true")));
        assertThat(await().until(() -> get("operator", all).body(), page -> page.contains(">counted<")))
                .contains("Type the name of the queue, mails");
    }

    @Test
    void tasksOfAListWhenSelectedAreChangedAndNoOthers() {
        for (String id : List.of("a", "b", "c")) {
            schedule("mails", id, FAR);
        }
        String list = "/queues/mails/tasks?from=0s&size=2";
        String page = get("operator", list).body();
        assertThat(page).contains("name=\"chosen-1\" value=\"a\"", "name=\"chosen-2\" value=\"b\"");
        assertThat(get("support", list).body()).doesNotContain("name=\"chosen-");
        assertThat(post("support", "/queues/mails/bulk", formOf(page), Map.of("action", "cancel", "chosen-1", "a"))
                        .body())
                .contains("Not allowed");

        assertThat(location(post(
                        "operator", list, formOf(page), Map.of("action", "cancel", "chosen-1", "a", "chosen-2", "c"))))
                .endsWith("/queues/mails/tasks?state=waiting&from=0s&size=2&done=chosen-cancel&of=2");

        assertThat(tasks.find("mails", "a")).isEmpty();
        assertThat(tasks.find("mails", "b")).isPresent();
        assertThat(tasks.find("mails", "c")).isEmpty();
        assertThat(get("operator", "/queues/mails/tasks?done=chosen-cancel&of=2")
                        .body())
                .contains("2 tasks were cancelled.");
        assertThat(post("operator", list, formOf(page), Map.of("action", "cancel"))
                        .body())
                .contains("Select at least one task", ">b</a>");
    }

    @Test
    void tasksWhenSelectedAndOneFailsAreCountedUpToThere() {
        schedule("mails", "a", FAR);
        schedule("mails", "z", FAR);
        String list = "/queues/mails/tasks?from=0s";
        String form = formOf(get("operator", list).body());
        Map<String, String> fields = new LinkedHashMap<>(Map.of("action", "cancel"));
        fields.put("chosen-1", "a");
        fields.put("chosen-2", "x".repeat(5_000));
        fields.put("chosen-3", "z");

        assertThat(location(post("operator", list, form, fields))).endsWith("&done=chosen-cancel-part&of=1");

        assertThat(tasks.find("mails", "a")).isEmpty();
        assertThat(tasks.find("mails", "z")).isPresent();
        assertThat(get("operator", "/queues/mails/tasks?done=chosen-cancel-part&of=1")
                        .body())
                .contains("1 task was cancelled. Then an error ended the change");
        assertThat(post("operator", list, form, Map.of("action", "pause", "chosen-1", "z"))
                        .body())
                .contains("must be cancel, deliver, redrive or discard");
    }

    @Test
    void deadTasksWhenSelectedAreDiscarded() {
        makeDead("d-1", "d-2", "d-3");
        String list = "/queues/orders/tasks?state=dead";
        String page = get("operator", list).body();

        String answer = location(post(
                "operator", list, formOf(page), Map.of("action", "discard", "chosen-1", "d-1", "chosen-2", "none")));

        assertThat(answer).endsWith("?state=dead&done=chosen-discard&of=1");
        assertThat(admin.stats("orders").dead()).isEqualTo(2);
        assertThat(tasks.find("orders", "d-1")).isEmpty();
    }

    @Test
    void redriveWithARateSaysHowLongItTakes() {
        makeDead("d-1", "d-2");
        String bulk = "/queues/orders/bulk";

        String count =
                location(post("operator", bulk, bulk, Map.of("action", "redrive", "all", "true", "perSecond", "1")));

        assertThat(await().until(() -> get("operator", count).body(), page -> page.contains(">counted<")))
                .contains("<dt>Deliveries take</dt><dd>about 2 seconds</dd>");
    }

    /** An operator stops a paced redrive because its deliveries do harm, and needs to know when they end. */
    @Test
    void operationSaysWhenAStopHasItsEffect() {
        makeDead(IntStream.range(0, 20).mapToObj(i -> "d-" + i).toArray(String[]::new));
        String run = started("orders", Map.of("action", "redrive", "all", "true", "perSecond", "1"));
        post("operator", "/queues/orders/bulk", run + "/stop", Map.of());

        assertThat(await().until(() -> get("operator", run).body(), page -> page.contains(">stopped<")))
                .contains("After a stop, no more tasks follow after about ten seconds.")
                .contains("pause <a href=\"/delayqueue/queues/orders\">the queue</a>");
        assertThat(get("operator", run + "?done=operation-stop").body()).contains("Changed tasks stay changed");

        schedule("mails", "m", FAR);
        String done = started("mails", Map.of("action", "reschedule", "all", "true", "by", "1h"));
        assertThat(await().until(() -> get("operator", done).body(), page -> page.contains(">done<")))
                .doesNotContain("After a stop");
    }

    /** Runs an operation on a queue, and returns the address of its page. */
    private String started(String queue, Map<String, String> fields) {
        String bulk = "/queues/" + queue + "/bulk";
        String count = location(post("operator", bulk, bulk, fields)).replaceAll("\\?.*", "");
        await().until(() -> get("operator", count).body().contains(">counted<"));
        return location(post("operator", bulk, count + "/run", Map.of())).replaceAll("\\?.*", "");
    }

    @Test
    void taskWhenMadeDueSaysThatItWaitsToBeTaken() {
        schedule("mails", "m", FAR);

        assertLeadsTo(change("operator", "deliver", Map.of()), "done=deliver-rescheduled");

        assertThat(get("operator", TASK + "?id=m").body()).contains("waiting for a free worker, 0 in progress");
    }

    @Test
    void taskWhenCancelledIsGone() {
        schedule("mails", "m", FAR);

        assertLeadsTo(change("operator", "cancel", Map.of()), "done=cancel-cancelled");
        assertLeadsTo(change("operator", "cancel", Map.of()), "done=cancel-not_found");

        assertThat(tasks.find("mails", "m")).isEmpty();
        assertThat(get("operator", TASK + "?id=m").body())
                .contains("The queue has no task with this id", "<h2>History</h2>", "cancelled")
                .containsPattern("As of <time [^>]*>[^<]+</time>\\. Reload the page for later entries");
    }

    @Test
    void deadTaskWhenLookedAtTellsWhyAndIsRedrivenOrDiscarded() {
        makeDead("d");
        String page = "/queues/orders/task?id=d";
        String body = get("operator", page).body();
        assertThat(body)
                .contains(
                        "It stays dead until an operator redrives or discards it", "payment service says &lt;b&gt;503")
                .contains("<h2>History</h2>")
                .doesNotContain("<b>503", "Reload the page");

        assertLeadsTo(post("operator", page, "/queues/orders/redrive?id=d", Map.of()), "done=redrive-redriven");
        await().until(() -> tasks.find("orders", "d")
                .filter(task -> task.state() == TaskState.DEAD)
                .isPresent());
        assertLeadsTo(post("operator", page, "/queues/orders/discard?id=d", Map.of()), "done=discard-discarded");
        assertThat(tasks.find("orders", "d")).isEmpty();
    }

    @Test
    void queueIsPausedResumedReshardedAndEmptied() {
        schedule("mails", "m", FAR);
        String page = "/queues/mails";

        assertLeadsTo(post("operator", page, page + "/pause", Map.of()), "/queues/mails?done=pause");
        assertThat(admin.isPaused("mails")).isTrue();
        assertLeadsTo(post("operator", page, page + "/resume", Map.of()), "done=resume");
        assertThat(admin.isPaused("mails")).isFalse();
        assertThat(post("operator", page, page + "/purge", Map.of("confirm", "mail"))
                        .statusCode())
                .isEqualTo(400);
        assertThat(tasks.find("mails", "m")).isPresent();
        assertLeadsTo(post("operator", page, page + "/purge", Map.of("confirm", "mails")), "done=purge");
        assertThat(tasks.find("mails", "m")).isEmpty();
        assertLeadsTo(
                post("operator", "/queues/orders", "/queues/orders/reshard", Map.of("shards", "3")), "done=reshard");
        await().until(() -> !admin.sharding("orders").isMigrating());
        assertThat(admin.sharding("orders").shards()).isEqualTo(3);
    }

    @Test
    void pauseWhenRefusedKeepsTheTypedReason() {
        String page = "/queues/mails";

        HttpResponse<String> refused =
                post("operator", page, page + "/pause", Map.of("for", "keep", "reason", "the \"deploy\""));

        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body()).contains("the pause has ended", "value=\"the &quot;deploy&quot;\"");
        assertThat(get("operator", page + "?reason=forged").body()).doesNotContain("forged");
    }

    @Test
    void bulkFormUsesTheSameLabelsAsItsMessages() {
        String bulk = "/queues/mails/bulk";
        Matcher labels = Pattern.compile("<label for=\"([A-Za-z]+)\">([^<]+)</label>")
                .matcher(get("operator", bulk).body());
        Map<String, String> found = new LinkedHashMap<>();
        while (labels.find()) {
            found.put(labels.group(1), "'" + labels.group(2) + "'");
        }

        assertThat(found).containsKeys("action", "key", "header", "by", "to", "over", "perSecond", "all");
        assertThat(found).allSatisfy((field, label) -> assertThat(label).isEqualTo(ConsoleRequest.quotedLabel(field)));
        assertThat(post("operator", bulk, bulk, Map.of("action", "deliver", "all", "true", "perSecond", "many"))
                        .body())
                .contains("Rate limit (tasks/s)&#39; must be a whole number");
    }

    @Test
    void pauseWhenTimedNamesItsEndAndReasonAndIsListedAsActivity() {
        String page = "/queues/mails";

        assertLeadsTo(
                post("operator", page, page + "/pause", Map.of("for", "10m", "reason", "deploy <b>")), "done=pause");

        assertThat(get("operator", page).body())
                .contains("Paused by operator", "Reason: deploy &lt;b&gt;. Deliveries resume at <time")
                .contains("<b>operator</b> pause · for 10 minutes · reason deploy &lt;b&gt;")
                .doesNotContain("<b>deploy");
        assertThat(get("operator", page).body())
                .contains("value=\"deploy &lt;b&gt;\"", "<option value=\"keep\" data-clock=\"");
        Instant end = endOfPause();
        HttpResponse<String> again = post("operator", page, page + "/pause", Map.of("for", "keep", "reason", "longer"));
        assertThat(Duration.between(end, endOfPause()).abs()).isLessThan(Duration.ofSeconds(1));
        assertThat(get("operator", location(again)).body())
                .contains("The queue mails was paused until <time", "Reason: longer. ");
        assertThat(get("support", "").body()).contains("<span class=\"sub\">by operator ");
        String activity = get("support", "/activity?queue=mails").body();
        assertThat(activity).contains("<td data-l=\"Who\">operator</td>", "for 10 minutes · reason deploy &lt;b&gt;");
        assertThat(get("customer", "/activity").body()).contains("No changes").doesNotContain("operator");
        HttpResponse<String> resumed = post("operator", page, page + "/resume", Map.of("back", "queues"));
        assertThat(get("operator", location(resumed)).body()).contains("The queue mails was resumed.");
        assertThat(admin.isPaused("mails")).isFalse();
    }

    @Test
    void activityUsesWordsInsteadOfStoredNames() {
        schedule("mails", "m", FAR);
        change("operator", "reschedule", Map.of("by", "1h"));
        change("operator", "reschedule", Map.of("to", "2099-01-01T10:00:00Z"));

        assertThat(get("support", "/activity?queue=mails").body())
                .contains("1 hour later", ">rescheduled</span>")
                .contains("to <time datetime=\"2099-01-01T10:00:00Z\"")
                .doesNotContain("PT1H", "RESCHEDULED");
    }

    private Instant endOfPause() {
        return admin.stats("mails").pause().orElseThrow().until();
    }

    @Test
    void taskWhenMadeDueInAPausedQueueIsNotPromisedNow() {
        schedule("mails", "m", FAR);
        admin.pause("mails");

        String shown = get("operator", location(change("operator", "deliver", Map.of())))
                .body();

        assertThat(shown)
                .contains("notice warn", "The task will be delivered when the queue is resumed: it is paused.")
                .doesNotContain("will be delivered now");
        admin.resume("mails");
        assertThat(get("operator", location(change("operator", "deliver", Map.of())))
                        .body())
                .contains("notice good", "The task will be delivered now.");
    }

    @Test
    void tasksWhenPostponedInBulkKeepTheirDistance() {
        schedule("mails", "m", FAR);
        schedule("mails", "n", FAR.plusSeconds(90));
        String bulk = "/queues/mails/bulk";

        assertThat(post("operator", bulk, bulk, Map.of("action", "reschedule", "all", "true", "to", "18:00"))
                        .body())
                .contains("Spread over&#39; is required");
        String count =
                location(post("operator", bulk, bulk, Map.of("action", "reschedule", "all", "true", "by", "1 hour")));
        String counted = await().until(() -> get("operator", count).body(), text -> text.contains(">counted<"));
        assertThat(counted).contains("1 hour later", "Reschedule 2 tasks");
        String ran = location(post("operator", count, formOf(counted), Map.of()));

        await().until(() -> get("operator", ran).body(), text -> text.contains(">done<"));
        assertThat(tasks.find("mails", "m").orElseThrow().dueAt()).isEqualTo(FAR.plusSeconds(3600));
        assertThat(tasks.find("mails", "n").orElseThrow().dueAt()).isEqualTo(FAR.plusSeconds(3690));
    }

    @Test
    void changeWithoutPermissionIsRefusedAndHasNoForm() {
        schedule("mails", "m", FAR);

        HttpResponse<String> refused = post("support", "/queues/mails/bulk", "/queues/mails/cancel?id=m", Map.of());

        assertThat(refused.statusCode()).isEqualTo(403);
        assertThat(refused.body()).contains("Not allowed");
        assertThat(get("support", TASK + "?id=m").body()).doesNotContain("<button type=\"submit\">Deliver now");
        assertThat(get("customer", TASK + "?id=m").statusCode()).isEqualTo(404);
        assertThat(tasks.find("mails", "m")).isPresent();
    }

    /** A count reads 500 tasks in a tenth of a second, so this one takes two seconds at least. */
    @Test
    void countWhenItRunsIsStoppedByWhoBeganItAndByNoOtherReader() {
        schedule(10_000, "m");
        String bulk = "/queues/mails/bulk";
        String count = location(post("support", bulk, bulk, Map.of("action", "cancel", "all", "true")));
        String stop = count.replaceAll("\\?.*", "") + "/stop";

        assertThat(get("support", count).body())
                .contains(">counting<", stop + "\"")
                .doesNotContain("/resume\"");
        assertThat(get("auditor", count).body()).doesNotContain(stop + "\"");
        assertThat(post("auditor", bulk, stop, Map.of()).statusCode()).isEqualTo(403);
        assertLeadsTo(post("support", bulk, stop, Map.of()), "done=operation-stop");

        await().until(
                        () -> get("support", count).body(),
                        page -> !page.contains(">counting<") && !page.contains(stop + "\""));
    }

    @Test
    void payloadIsShownToThoseWhoMaySeeIt() {
        schedule("mails", "m", FAR);

        assertThat(get("auditor", TASK + "?id=m").body()).contains("&lt;i&gt;secret&lt;/i&gt; of m");
        assertThat(get("operator", TASK + "?id=m").body())
                .contains("hidden (you lack the PAYLOAD permission)")
                .doesNotContain("secret");
    }

    /** Otherwise a user who may only read could make an operator press a button with another effect than its label. */
    @Test
    void countWhenItsAddressSaysSomethingElseDoesWhatWasCounted() {
        for (String id : List.of("a-1", "a-2", "b-1")) {
            schedule("mails", id, FAR);
        }
        String bulk = "/queues/mails/bulk";
        String count = location(post("support", bulk, bulk, Map.of("action", "cancel", "idPrefix", "a-")));
        await().until(() -> get("support", count).body(), page -> page.contains(">counted<"));

        String lure = count.replaceFirst("\\?.*", "") + "?action=cancel&idPrefix=&all=true&perSecond=10000";
        String page = get("operator", lure).body();
        assertThat(page).contains("Cancel 2 scheduled tasks");
        String ran = location(post("operator", lure, formOf(page), Map.of()));

        await().until(() -> get("operator", ran).body(), shown -> shown.contains(">done<"));
        assertThat(tasks.find("mails", "a-1")).isEmpty();
        assertThat(tasks.find("mails", "b-1")).isPresent();
    }

    @Test
    void operationWithoutPermissionHasNoForm() {
        schedule("mails", "a-1", FAR);
        String bulk = "/queues/mails/bulk";
        String count = location(post("support", bulk, bulk, Map.of("action", "cancel", "idPrefix", "a-")));

        String counted = await().until(() -> get("support", count).body(), page -> page.contains(">counted<"));

        assertThat(counted).contains("<dd id=\"operation-matched\">1</dd>").doesNotContain("method=\"post\"");
        assertThat(post("support", bulk, count.replaceFirst("\\?.*", "") + "/run", Map.of())
                        .statusCode())
                .isEqualTo(403);
        assertThat(tasks.find("mails", "a-1")).isPresent();
    }

    @Test
    void operationHasTheFormThatItsStatusAllows() {
        schedule(10_000, "a-");
        String bulk = "/queues/mails/bulk";
        String count = location(post("operator", bulk, bulk, Map.of("action", "cancel", "idPrefix", "a-")));
        String counted = await().until(() -> get("operator", count).body(), page -> page.contains(">counted<"));
        assertThat(counted).contains("Type the name of the queue, mails");
        String ran = location(post("operator", count, formOf(counted), Map.of("confirm", "mails")));

        assertThat(get("operator", ran).body()).contains("/stop\"").doesNotContain("/resume\"", "/run\"");
        assertThat(get("support", ran).body()).doesNotContain("method=\"post\"");
        post("operator", ran, formOf(get("operator", ran).body()), Map.of());
        String stopped = await().until(() -> get("operator", ran).body(), page -> page.contains(">stopped<"));
        assertThat(stopped).contains("/resume\"").doesNotContain("/stop\"", "/run\"");
        assertThat(get("support", ran).body()).doesNotContain("method=\"post\"");
    }

    private void schedule(int count, String prefix) {
        for (int first = 0; first < count; first += 500) {
            tasks.scheduleAll(IntStream.range(first, first + 500)
                    .mapToObj(i -> requestTo("mails", prefix + i, "p", FAR))
                    .toList());
        }
    }

    /** Returns the form of an operation's page, which has at most one. */
    private static String formOf(String page) {
        return page.replaceAll("(?s).*method=\"post\" action=\"/delayqueue([^\"]+)\".*", "$1")
                .replace("&amp;", "&");
    }

    @Test
    void manyTasksWhenNothingSaysWhichAreLeftAlone() {
        schedule("mails", "m", FAR);

        HttpResponse<String> refused =
                post("operator", "/queues/mails/bulk", "/queues/mails/bulk", Map.of("action", "cancel"));

        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body())
                .contains("All tasks in this queue&#39; must be ticked, or fill in at least one condition")
                .contains("aria-describedby=\"field-error\"");
        assertThat(tasks.find("mails", "m")).isPresent();
    }

    @Test
    void erasureWithOtherConditionsIsRefusedInTheWordsOfTheForm() {
        String bulk = "/queues/mails/bulk";

        String refused = post("operator", bulk, bulk, Map.of("action", "erase", "key", "k", "header", "tenant=acme"))
                .body();

        assertThat(refused)
                .contains("Header&#39; must be empty: Erase selects by key, group or id prefix only")
                .contains("value=\"tenant=acme\" autocomplete=\"off\" spellcheck=\"false\" aria-invalid=\"true\"");
        assertThat(post("operator", bulk, bulk, Map.of("action", "cancel", "key", "k", "all", "true"))
                        .body())
                .contains("must not be ticked beside conditions. Clear it, or empty &#39;Key&#39;");
    }

    @Test
    void countOfNothingHasAWayBackToTheFilledFormAndNoOther() {
        String bulk = "/queues/mails/bulk";
        String count = location(post(
                "operator",
                bulk,
                bulk,
                Map.of("action", "redrive", "group", "customer:4501", "header", "tenant=a&b", "perSecond", "7")));

        String counted = await().until(() -> get("operator", count).body(), page -> page.contains(">counted<"));

        assertThat(counted)
                .contains("No task matches, so there is nothing to change.", "group customer:4501")
                .doesNotContain("method=\"post\"", "{customer:4501}");
        String back = counted.replaceAll("(?s).*href=\"/delayqueue([^\"]+)\">Back to the form.*", "$1")
                .replace("&amp;", "&");
        assertThat(get("operator", back).body())
                .contains("<option value=\"redrive\" selected>", "value=\"customer:4501\"")
                .contains("value=\"tenant=a&amp;b\"", "value=\"7\"");
    }

    private static String location(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(303);
        return answer.headers().firstValue("Location").orElseThrow().replaceFirst(".*/delayqueue", "");
    }
}
