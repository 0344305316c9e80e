// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.ScheduleRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The search over all queues: what it finds, how far it is, and what it says if there is nothing. */
class ConsoleSearchIntegrationTests extends ConsoleScene {

    private String search(String user, String text) {
        return get(user, "/search?id=" + encoded(text)).body();
    }

    @ParameterizedTest
    @CsvSource({
        "pay-9f4f, id",
        "PAY-9F4F, id",
        "customer:4501, group",
        "mer:45, group",
        "clinic-17, key",
        "order-A77, header order-number",
        "Order-Number=order-a77-X, header order-number"
    })
    void searchFindsPartsOfIdsKeysGroupsAndHeaders(String text, String where) {
        tasks.schedule(ScheduleRequest.to("mails")
                .key("clinic-17")
                .group("customer:4501")
                .id("pay-9f4fc885")
                .payload("order-A77")
                .header("order-number", "Order-A77-x")
                .dueAt(FAR)
                .build());
        schedule("mails", "other", FAR);
        schedule("orders", "another", FAR);

        assertThat(search("support", text))
                .contains(
                        "{clinic-17}:{customer:4501}~pay-9f4fc885</a>",
                        "Found in\">" + where + "<",
                        "Searched 3 of 3 tasks",
                        "<b>1 task found</b>",
                        "type=\"search\" value=\"" + text + "\"")
                .doesNotContain(">other</a>");
        assertThat(search("customer", text)).doesNotContain("pay-9f4fc885</a>").contains("Searched 0 of 0 tasks");
        assertThat(search("support", "order-number=order-a77")).contains("No task contains this text");
    }

    @Test
    void searchFindsDeadTasksAndAllTasksOfALargeQueue() {
        List<ScheduleRequest<?>> many = new ArrayList<>();
        for (int i = 0; i < 5_000; i++) {
            many.add(ScheduleRequest.to("mails")
                    .id("n-" + i)
                    .payload("x")
                    .dueAt(FAR.plusSeconds(i))
                    .build());
        }
        tasks.scheduleAll(many);
        makeDead("d-4999");

        String all = await().until(
                        () -> search("support", "4999"), found -> found.contains("Searched 5,001 of 5,001 tasks"));
        assertThat(all).contains(">n-4999</a>", ">d-4999</a>");
        String page = await().until(() -> search("support", "n-"), found -> found.contains("The search ended early"));
        assertThat(IntStream.range(0, 5_000)
                        .filter(i -> page.contains(">n-" + i + "</a>"))
                        .count())
                .isEqualTo(100);
    }

    /** The exact id is found at once, and the wide search starts on request. */
    @Test
    void searchForAnExactIdOffersToSearchForTheText() {
        schedule("mails", "a-1", FAR);
        schedule("mails", "a-10", FAR);

        assertThat(search("support", "a-1"))
                .contains("Task in mails", "Search all tasks for this text")
                .doesNotContain("a-10");
        assertThat(get("support", "/search?id=a-1&all=true").body()).contains("Task in mails", ">a-10</a>");
    }

    @Test
    void searchForADeliveredTaskLeadsToItsHistory() {
        schedule("mails", "gone", FAR);
        tasks.cancel("mails", "gone");

        assertThat(search("support", "gone"))
                .contains("History of mails: the task with this id was last", ">cancelled</a>")
                .doesNotContain("No task contains this text");
        assertThat(search("support", "gon"))
                .contains("No task contains this text", "The history has no entry for a task")
                .containsPattern("mails keeps the last 1,000 events of each shard, in all shards since <time");
        assertThat(search("support", "gon"))
                .as("the script stops to ask when the search has ended")
                .doesNotContain("orders keeps", "data-is-live");
        assertThat(get("support", "/search?id=gone&renewal=1").body()).contains(">cancelled</a>");
    }
}
