// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.console.browser;

import static io.delayqueue.TestRequests.requestTo;
import static io.delayqueue.console.web.StaffApplication.OPERATE;
import static io.delayqueue.console.web.StaffApplication.READ;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
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
    void formOfABulkActionShowsTheFieldsOfTheAction() {
        open(OPERATE, "/queues/mails/bulk?idPrefix=m&retrying=true");
        assertThat(browser.element("#by").isDisplayed()).isFalse();

        choose("erase");
        assertThat(browser.element("#key").isDisplayed()).isTrue();
        assertThat(browser.element("#header").isDisplayed()).isFalse();
        assertThat(browser.element("#retrying").isDisplayed())
                .as("a condition that is set")
                .isTrue();
        choose("redrive");
        assertThat(browser.element("#header").isDisplayed()).isTrue();
        assertThat(browser.element("#perSecond").isDisplayed()).isTrue();
        choose("reschedule");
        assertThat(browser.element("#perSecond").isDisplayed()).isFalse();
        assertThat(browser.element("#over").isDisplayed()).isTrue();
        assertThat(Accessibility.faults(browser)).isEmpty();
    }

    private void choose(String action) {
        browser.script(
                "document.getElementById('action').value = arguments[0];"
                        + "document.getElementById('action').dispatchEvent(new Event('change', { bubbles: true }))",
                action);
    }

    @Test
    void tasksAreSelectedInAListAndCancelled() {
        scheduleMany(3, "m-");
        open(OPERATE, "/queues/mails/tasks").awaitText("0 selected");
        assertThat(browser.labelled("button", "Cancel selected").isEnabled()).isFalse();

        String kept = browser.element("input[name=chosen-2]").getDomAttribute("value");
        browser.click("#choose-all input").awaitText("3 selected");
        browser.click("input[name=chosen-2]").awaitText("2 selected");
        assertThat(Accessibility.faults(browser)).isEmpty();
        browser.clickLabelled("button", "Cancel selected").accept();

        browser.awaitText("2 tasks were cancelled.").awaitText("1 task");
        assertThat(isThere("mails", kept)).isTrue();
    }

    private void scheduleMany(int count, String prefix) {
        tasks.scheduleAll(IntStream.range(0, count)
                .mapToObj(i -> requestTo("mails", prefix + i, "p", FAR))
                .toList());
    }
}
