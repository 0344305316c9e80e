// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.console.browser;

import static io.delayqueue.TestRequests.requestTo;
import static io.delayqueue.console.web.StaffApplication.OPERATE;
import static io.delayqueue.console.web.StaffApplication.READ;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Each thing that the console is for, done as its users do it. */
class ConsoleActionsIntegrationTests extends ConsoleScene {

    private static final Duration FAR = Duration.ofDays(30);
    private static final String THREE_TASKS = "#future svg a[aria-label^='3 tasks']";

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

    private void scheduleMany(int count, String prefix) {
        tasks.scheduleAll(IntStream.range(0, count)
                .mapToObj(i -> requestTo("mails", prefix + i, "p", FAR))
                .toList());
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
}
