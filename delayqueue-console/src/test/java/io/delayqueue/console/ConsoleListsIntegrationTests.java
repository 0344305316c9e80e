// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.console;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.BadInput;
import io.delayqueue.BadInput.Case;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Pages that show many tasks, what is saved of them, and the parts that are renewed. */
class ConsoleListsIntegrationTests extends ConsoleScene {

    @Test
    void listShowsATasksPageAtATimeAndKeepsTheFilter() {
        for (int i = 0; i < 5; i++) {
            schedule("mails", "a-" + i, FAR);
        }
        schedule("mails", "b", FAR);

        String first = get("support", "/queues/mails/tasks?idPrefix=a-&size=3").body();
        assertThat(first).contains(">a-0</a>", ">a-2</a>").doesNotContain(">a-3</a>", ">b</a>");
        String next = first.replaceAll("(?s).*href=\"/delayqueue([^\"]+)\" rel=\"next\".*", "$1")
                .replace("&amp;", "&");
        assertThat(next).contains("idPrefix=a-", "size=3");
        assertThat(get("support", next).body()).contains(">a-3</a>", ">a-4</a>").doesNotContain(">a-0</a>", ">b</a>");
    }

    @Test
    void listOfAGroupHasItsTasksAlone() {
        schedule("mails", "{order:4}~a", FAR);
        schedule("mails", "{order:42}~a", FAR);
        schedule("mails", "{order:42}b", FAR);

        String page = get("operator", "/queues/mails/tasks?group=" + encoded("order:42"))
                .body();

        assertThat(page)
                .contains(">{order:42}~a</a>", "name=\"group\" value=\"order:42\"")
                .doesNotContain(">{order:4}~a</a>", ">{order:42}b</a>")
                .contains("/queues/mails/bulk?state=waiting&amp;group=order%3A42");
        assertThat(get("support", "/queues/mails/tasks?group=a&idPrefix=b").statusCode())
                .isEqualTo(400);
        assertThat(get("operator", "/queues/mails/tasks.csv?group=" + encoded("order:42"))
                        .body())
                .containsOnlyOnce("{order:42}")
                .endsWith(",,,\"order:42\"\r\n");
    }

    @Test
    void histogramLinksEachColumnToItsTasks() {
        Instant from = Instant.parse("2090-01-01T00:00:00Z");
        schedule("mails", "a", from.plusSeconds(90));
        schedule("mails", "b", from.plusSeconds(100));
        schedule("mails", "c", from.plus(Duration.ofDays(3)));

        String page = get("support", "/queues/mails?zoom=hour&from=" + from).body();

        assertThat(page)
                .contains("aria-label=\"2 tasks, 2090-01-01 00:01:00 to 2090-01-01 00:02:00 UTC\"", ">1 later<");
        String link = page.replaceAll(
                        "(?s).*<a href=\"/delayqueue([^\"]+)\" data-from[^>]*aria-label=\"2 tasks.*", "$1")
                .replace("&amp;", "&");
        assertThat(get("support", link).body()).contains(">a</a>", ">b</a>").doesNotContain(">c</a>");
        assertThat(get("support", "/queues/mails?zoom=week&from=" + from).body())
                .contains("3 tasks due in this window");
    }

    @Test
    void searchFindsAnIdInAllQueues() {
        schedule("mails", "x/1", FAR);
        schedule("orders", "x/1", FAR);

        String page = get("support", "/search?id=" + encoded("x/1")).body();

        assertThat(page).contains("/delayqueue/queues/mails/task?id=x%2F1", "/delayqueue/queues/orders/task?id=x%2F1");
        assertThat(get("support", "/search?id=none").body())
                .contains("No task contains this text", "mails keeps the last 1,000 events of each shard");
        assertThat(get("support", "/search?id=" + encoded("a\tb")).statusCode()).isEqualTo(400);
        assertThat(get("customer", "/search?id=" + encoded("x/1")).body()).doesNotContain("mails");
    }

    static Stream<Case<String>> oddIds() {
        return BadInput.oddIds();
    }

    /** Follows the links of the pages, as a user does. */
    @ParameterizedTest
    @MethodSource("oddIds")
    void taskWhenItsIdIsOddIsListedFoundFilteredAndCancelled(Case<String> odd) {
        String id = odd.input();
        schedule("mails", id, FAR);

        String list =
                get("operator", "/queues/mails/tasks?idPrefix=" + encoded(id)).body();
        String link = list.replaceAll("(?s).*<a class=\"code\" href=\"/delayqueue([^\"]+)\".*", "$1");
        assertThat(get("operator", "/search?id=" + encoded(id)).body()).contains("/delayqueue" + link);
        String task = get("operator", link).body();
        assertThat(task).contains("<h1").doesNotContain("<script>alert");
        HttpResponse<String> cancelled = post("operator", link, "/queues/mails/cancel?id=" + encoded(id), Map.of());

        assertThat(cancelled.statusCode()).isEqualTo(303);
        assertThat(tasks.find("mails", id)).isEmpty();
    }

    @Test
    void exportWhenIdsAreOddHasEachInARowOfItsOwn() {
        List<String> ids = oddIds().map(Case::input).toList();
        ids.forEach(id -> schedule("mails", id, FAR));

        String csv = get("support", "/queues/mails/tasks.csv").body();

        assertThat(csv.lines()).hasSize(ids.size() + 1);
        for (String id : ids) {
            boolean isMarked = id.startsWith("=") || id.startsWith("'") || id.startsWith("\uff1d");
            assertThat(csv).contains(",\"" + (isMarked ? "'" : "") + id.replace("\"", "\"\"") + "\",");
        }
    }

    @Test
    void deadTasksAreGroupedByReason() {
        makeDead("d-1", "d-2");

        String page = get("support", "/queues/orders/reasons").body();

        assertThat(page)
                .contains(
                        "2 of 2 dead tasks, 1 kind",
                        "payment service says &lt;b&gt;503",
                        "<td class=\"number\" data-l=\"Tasks\"><b>2</b>")
                .doesNotContain("action=redrive");
        assertThat(get("support", "/queues/orders/reasons?from=-1h").body()).contains("2 of 2 dead tasks");
        assertThat(get("support", "/queues/orders/reasons?from=1h").body())
                .contains("0 of 2 dead tasks", "No dead tasks in this period");
    }

    /** A reason may be a part of another one. */
    @Test
    void tasksOfOneReasonAreThoseOfExactlyThat() {
        makeDead("d-1");
        String page = get("operator", "/queues/orders/reasons").body();
        String redrive = page.replaceAll("(?s).*href=\"/delayqueue(/queues/orders/bulk[^\"]+)\".*", "$1")
                .replace("&amp;", "&");
        String list = page.replaceAll("(?s).*href=\"/delayqueue(/queues/orders/tasks[^\"]+)\".*", "$1")
                .replace("&amp;", "&");

        assertThat(redrive).contains("exactReason=");
        assertThat(get("operator", redrive).body()).contains("Reason is exactly", "payment service says &lt;b&gt;503");
        assertThat(get("operator", list).body()).contains(">d-1</a>");
        assertThat(get("operator", "/queues/orders/tasks?state=dead&reason=503").body())
                .contains(">d-1</a>");
        for (String other : List.of("exactReason=503", "withoutReason=true")) {
            assertThat(get("operator", "/queues/orders/tasks?state=dead&" + other)
                            .body())
                    .as(other)
                    .contains("No matching tasks");
        }
        assertThat(get("operator", "/queues/orders/tasks?state=dead&reason=a&exactReason=b")
                        .statusCode())
                .isEqualTo(400);
    }

    @Test
    void exportHasAllPagesAndNoFormulas() {
        for (int i = 0; i < 1_100; i++) {
            schedule("mails", "n-" + i, FAR);
        }
        tasks.schedule(requestTo("mails", "=cmd|'/c'!A1", "", FAR));

        for (int i = 0; i < 5; i++) {
            send(request("support", "/queues/mails/tasks.csv").method("HEAD", BodyPublishers.noBody()));
        }
        HttpResponse<String> csv = get("support", "/queues/mails/tasks.csv");
        assertThat(csv.headers().firstValue("Content-Disposition"))
                .hasValue("attachment; filename=\"mails-scheduled-" + LocalDate.now(ZoneOffset.UTC) + ".csv\"");
        assertThat(csv.body().lines()).hasSize(1_102);
        assertThat(csv.body()).contains("\"'=cmd|'/c'!A1\"").startsWith("queue,id,");
        String some = get("support", "/queues/mails/tasks.csv?idPrefix=n-1").body();
        assertThat(some.lines()).hasSize(1 + 1 + 10 + 100 + 100);
        assertThat(get("customer", "/queues/mails/tasks.csv").statusCode()).isEqualTo(404);
    }

    @Test
    void listWhoseFilterIsInvalidShowsTheErrorAndNoTasks() {
        schedule("mails", "m", FAR);

        String page = get("operator", "/queues/mails/tasks?from=6pm").body();

        assertThat(page)
                .contains("From&#39; must be a time", "value=\"6pm\"")
                .doesNotContain("0 tasks", "No matching tasks", "Bulk action on these", "Export CSV");
        assertThat(get("operator", "/queues/mails/tasks?from=1h").body())
                .contains("1 task", "Bulk action on these", "Export CSV");
    }

    /** The application knows the task by its own id and the group, and an operator by either. */
    @Test
    void searchWhenTheNameIsThatOfAGroupLeadsToItsTasks() {
        schedule("mails", "{customer:4501}~pay-1", FAR);
        schedule("mails", "{customer:4501}~pay-2", FAR);

        assertThat(get("support", "/search?id=" + encoded("customer:4501")).body())
                .contains(
                        "<a class=\"code\" href=\"/delayqueue/queues/mails/tasks?group=customer%3A4501\">customer:4501</a>"
                                + " in mails: 2 tasks");
        assertThat(get("support", "/search?id=pay-1").body())
                .contains(">{customer:4501}~pay-1</a>", "Found in\">id<")
                .doesNotContain("pay-2");
        assertThat(get("customer", "/search?id=" + encoded("customer:4501")).body())
                .doesNotContain("2 tasks");
    }
}
