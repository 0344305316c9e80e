// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.console.browser;

import static io.delayqueue.console.web.StaffApplication.OPERATE;
import static io.delayqueue.console.web.StaffApplication.READ;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.console.PastHours;
import io.delayqueue.console.browser.Browser.Theme;
import io.delayqueue.test.server.RedisServer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import java.util.stream.IntStream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openqa.selenium.Keys;

/** Pages that people read in a hurry: lists, times, errors and what needs attention. */
class ConsoleReadingIntegrationTests extends ConsoleScene {

    private static final String LONG_ID = "{customer:4501}~payment-9f4fc885-69600-reminder";
    private static final String REASON =
            "IllegalStateException: Read timed out after 30007 ms, order 71b3-004, ".repeat(4);

    /** Lines are told by the height of a row and that of its text. */
    private static final String LINES = """
            return Math.max(...Array.from(document.querySelectorAll('tbody tr'), row =>
                (row.offsetHeight - 15) / parseFloat(getComputedStyle(row).lineHeight)));
            """;

    /** The height of an id in lines. */
    private static final String LINES_OF_ID = """
            const id = document.querySelector('tbody th a');
            return id.getClientRects().length;
            """;

    private static final String WIDTH = "return document.documentElement.scrollWidth";

    @ParameterizedTest
    @CsvSource({"1366, 900", "1920, 1080", "390, 844"})
    void listHasWholeIdsAndLowRows(int width, int height) {
        schedule("mails", LONG_ID, Duration.ofDays(3));
        makeDead("dead-" + "d".repeat(40), REASON);
        browser.size(width, height);

        for (String path : List.of("/queues/mails/tasks", "/queues/orders/tasks?state=dead")) {
            open(READ, path).awaitText("1 task");
            assertThat(browser.script(WIDTH)).as(path).isEqualTo((long) width);
            if (width > 390) {
                assertThat(((Number) browser.script(LINES)).doubleValue())
                        .as("lines of a row of " + path)
                        .isLessThanOrEqualTo(3);
                assertThat(browser.script(LINES_OF_ID)).as(path).isEqualTo(1L);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"1366, 900", "1920, 1080", "390, 844"})
    void foundTasksReasonsAndKeysHaveLowRows(int width, int height) {
        schedule("mails", LONG_ID, Duration.ofDays(3));
        for (int i = 0; i < 12; i++) {
            makeDead("dead-" + i, REASON);
        }
        browser.size(width, height);

        for (String path : List.of("/search?id=4501%7D~payment-9f4fc885", "/queues/orders/reasons", "/queues/orders")) {
            open(OPERATE, path).awaitText("task");
            assertThat(browser.script(WIDTH)).as(path).isEqualTo((long) width);
            if (width > 390 && browser.has("tbody tr")) {
                assertThat(((Number) browser.script(LINES)).doubleValue())
                        .as("lines of a row of " + path)
                        .isLessThanOrEqualTo(3);
            }
        }
    }

    /** The lines differ by their shape, in light and in dark colours. */
    @Test
    void chartHasYesterdayAndLastWeekBesideToday(RedisServer redis) {
        try (PastHours past = new PastHours(redis, "browser", "mails")) {
            past.minute(0, "delivered=17,failed=9,14=17");
            past.hours(24, "delivered=600,26=600");
            past.hours(7 * 24, "delivered=1200,30=1200");
        }
        browser.size(1366, 1000);
        for (Theme theme : Theme.values()) {
            browser.theme(theme);
            open(READ, "/queues/mails").awaitText("delivered yesterday").awaitText("delivered last week");
            browser.screenshot(Path.of("target/browser/past-" + theme + ".png"));
            assertThat(browser.script("""
                    return ['.l-day', '.l-week', '.l-p99', '.l-p50'].map(line =>
                        getComputedStyle(document.querySelector('polyline' + line)).strokeDasharray
                        + getComputedStyle(document.querySelector('polyline' + line)).strokeWidth)"""))
                    .asInstanceOf(InstanceOfAssertFactories.LIST)
                    .doesNotHaveDuplicates();
            Object legend = browser.script("""
                    return ['.i-day', '.i-week'].map(key =>
                        getComputedStyle(document.querySelector('.legend ' + key)).borderTopStyle)""");
            assertThat(legend).isEqualTo(List.of("dashed", "dotted"));
        }
        assertThat(Accessibility.faults(browser)).isEmpty();
        browser.theme(Theme.LIGHT);

        browser.scriptsAllowed(false).open(console() + "/queues/mails");
        browser.click("#future summary").awaitText("Delivered last week");
        // The test may take more than a minute, so the row need not be the last one.
        assertThat(browser.texts("#future tbody td")).containsSequence("17", "9", "10", "20", "10 ms", "10 ms");
    }

    @Test
    void searchFindsAPartOfAnId() {
        schedule("mails", LONG_ID, Duration.ofDays(3));
        open(READ, "/").press("/").press(LONG_ID.substring(3, 20), Keys.ENTER).awaitText("Found in");

        browser.click("tbody th a").awaitText("First delivery");
    }

    @Test
    void timesAreInOneZoneWhichTheBrowserRemembers() {
        schedule("mails", "m", Duration.ofDays(40));
        openTask(READ, "mails", "m").awaitText("Times in Europe/Berlin");
        String local = browser.text("dl.facts time");
        assertThat(browser.text()).doesNotContain("UTC)");

        browser.clickLabelled("button", "UTC").awaitText("Times in UTC");
        assertThat(browser.text("dl.facts time"))
                .isNotEqualTo(local)
                .matches("\\d{1,2} \\w{3} (\\d{4} )?\\d\\d:\\d\\d");
        browser.open(console() + "/queues/mails/tasks").awaitText("Times in UTC");

        browser.press("z").awaitText("Times in Europe/Berlin");
        browser.script("localStorage.clear()");
    }

    @Test
    void timesAreTypedInTheZoneOfThePage() {
        schedule("mails", "m", Duration.ofDays(40));

        openTask(OPERATE, "mails", "m").type("#to", "tomorrow 18:00").clickLabelled("button", "Reschedule");

        browser.awaitText("The due time was changed from");
        ZoneId berlin = ZoneId.of("Europe/Berlin");
        assertThat(tasks.find("mails", "m").orElseThrow().dueAt())
                .isEqualTo(LocalDate.now(berlin)
                        .plusDays(1)
                        .atTime(LocalTime.of(18, 0))
                        .atZone(berlin)
                        .toInstant());
        assertThat(browser.text(".notice.good")).contains(" to ", "18:00.");
    }

    @Test
    void timesOfAnAddressAreShownAsPeopleTypeThemInTheZoneOfThePage() {
        schedule("mails", "m", Duration.ofDays(40));
        open(READ, "/queues/mails/tasks?from=2026-01-15T17:22:00Z&until=2026-10-25T00:30:00Z");
        assertThat(value("from")).isEqualTo("2026-01-15 18:22");
        assertThat(value("until")).as("an hour that the clock shows twice").isEqualTo("2026-10-25T00:30:00Z");

        browser.press("z");
        assertThat(value("from")).isEqualTo("2026-01-15 17:22");
        browser.press("z");
        browser.clickLabelled("button", "Show").awaitText("No matching tasks");
        assertThat(browser.address().getQuery())
                .contains("from=2026-01-15+18:22")
                .contains("zone=Europe/Berlin");
    }

    private @Nullable Object value(String id) {
        return browser.script("return document.getElementById(arguments[0]).value", id);
    }

    @Test
    void axisOfAMinuteNamesEachTimeOnce() {
        open(READ, "/queues/mails?zoom=minute");

        assertThat(browser.texts("#future svg text[data-at]")).hasSize(3).doesNotHaveDuplicates();
    }

    @Test
    void tabsHaveNoScrollbarAndTheShortcutsEndAboveTheButton() {
        open(READ, "/queues/mails");
        assertThat(browser.script("return getComputedStyle(document.querySelector('.subtabs')).overflowY"))
                .isEqualTo("hidden");
        browser.press("?").awaitText("Keyboard shortcuts");
        assertThat(browser.script("""
                        const bottom = element => document.querySelector(element).getBoundingClientRect().bottom;
                        return bottom('#shortcuts dl') + 8
                            < document.querySelector('#shortcuts button').getBoundingClientRect().top""")).isEqualTo(true);
    }

    @Test
    void errorStandsAtItsFieldWhichKeepsWhatWasTyped() {
        schedule("mails", "m", Duration.ofDays(40));
        browser.size(390, 844);

        openTask(OPERATE, "mails", "m").type("#to", "soon").clickLabelled("button", "Reschedule");
        browser.awaitText("'New due time' must be a time, such as 18:00");
        assertThat(browser.script("return document.getElementById('to').value")).isEqualTo("soon");
        assertThat(browser.element("#to").getDomAttribute("aria-invalid")).isEqualTo("true");

        open(OPERATE, "/queues/mails/tasks?idPrefix=m&from=60");
        browser.awaitText("'From' must be a time");
        assertThat(browser.script("return document.getElementById('from').value"))
                .isEqualTo("60");
        assertThat(browser.script("return document.getElementById('idPrefix').value"))
                .isEqualTo("m");
        assertThat(Accessibility.faults(browser)).isEmpty();
    }

    @Test
    void textIsCopiedByAButton() {
        schedule("mails", "m", Duration.ofDays(40));
        openTask(READ, "mails", "m");
        browser.script("navigator.clipboard.writeText = text => { window.copied = text; return Promise.resolve(); }");

        browser.click("button[data-copy=task-id]").awaitText("Copied");

        assertThat(browser.script("return window.copied")).isEqualTo("m");
    }

    @ParameterizedTest
    @CsvSource({"1366, 900", "1920, 1080", "390, 844"})
    void queueIsPausedWithoutScrolling(int width, int height) {
        browser.size(width, height);
        open(OPERATE, "/queues/mails");
        assertThat(browser.script("return document.querySelector('.title button').getBoundingClientRect().bottom"))
                .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.type(Number.class))
                .satisfies(bottom -> assertThat(bottom.doubleValue()).isLessThan(height / 2.0));
        assertThat(browser.texts(".title button")).containsExactly("Pause");

        browser.type("#reason", "deploy");
        browser.script("document.getElementById('for').value = '10m'");
        browser.clickLabelled(".title button", "Pause").awaitText("The queue mails was paused until ");

        assertThat(browser.text("#queue-status")).isEqualTo("Paused");
        assertThat(browser.texts(".title button")).containsExactly("Resume", "Change pause");
        browser.awaitText("Reason: deploy").awaitText("Deliveries resume at ");
        assertThat(Accessibility.faults(browser)).isEmpty();
    }

    @Test
    void chartIsOneTabStopAndItsLabelsAreBesideItsColumns() {
        IntStream.range(0, 20).forEach(i -> schedule("mails", "m" + i, Duration.ofMinutes(2 + 2 * i)));
        open(READ, "/queues/mails");

        assertThat(browser.elements("#future svg a").size()).isGreaterThan(10);
        assertThat(browser.elements("#future svg a[tabindex='0']")).hasSize(1);
        browser.tabTo(focused -> focused.getDomAttribute("data-from") != null);
        Object first = browser.script("return document.activeElement.getAttribute('data-from')");
        browser.press(Keys.ARROW_RIGHT);
        assertThat(browser.script("return document.activeElement.getAttribute('data-from')"))
                .isNotNull()
                .isNotEqualTo(first);
        assertThat(browser.script("""
                        const label = document.querySelector('#future svg text').getBoundingClientRect();
                        return Array.from(document.querySelectorAll('#future svg rect'))
                            .every(column => column.getBoundingClientRect().left > label.right);
                        """)).isEqualTo(true);
    }

    @Test
    void queueWhoseAttemptsFailComesFirstAndSaysSo() {
        schedule("mails", "m", Duration.ofDays(40));
        IntStream.range(0, 6).forEach(i -> makeDead("o" + i, "503 of payments"));
        browser.hurried();

        open(OPERATE, "/").awaitText("orders is failing").awaitText("Last reason: 503 of payments");

        assertThat(browser.texts("tbody th a")).first().isEqualTo("orders");
        assertThat(browser.title()).contains("Queues – shop staging");
        browser.type("#name", "mai");
        await().until(
                        () -> browser.texts("tbody th a").stream()
                                .filter(name -> !name.isEmpty())
                                .toList(),
                        List.of("mails")::equals);
    }

    /** A click in the list used to pause a queue at once, without a reason or an end. */
    @Test
    void queueIsPausedFromTheListByAFormAndResumedInTheList() {
        open(OPERATE, "/").click("tr[data-queue=orders] a.button");
        assertThat(browser.script("return document.activeElement.id")).isEqualTo("for");
        assertThat(admin.isPaused("orders")).isFalse();

        browser.type("#reason", "deploy");
        browser.script("document.getElementById('for').value = '1h'");
        browser.clickLabelled(".title button", "Pause").awaitText("The queue orders was paused until ");
        assertThat(browser.texts("#for option").get(0)).matches("until .*\\d\\d:\\d\\d.* \\(as now\\)");

        open(OPERATE, "/").awaitText("deploy").click("tr[data-queue=orders] button");
        assertThat(browser.accept()).contains("It was paused by ", ": deploy. OK resumes");
        browser.awaitText("The queue orders was resumed.");
        assertThat(browser.address().getPath()).endsWith("/delayqueue/");
        assertThat(admin.isPaused("orders")).isFalse();
    }

    @Test
    void barNamesTheEnvironmentAndLetsPeopleSignOut() {
        browser.open(console() + "/");
        browser.type("#username", READ).type("#password", READ).press(Keys.ENTER);
        browser.awaitText("staging").awaitText("shop");

        browser.clickLabelled("button", "Sign out");

        await().until(() -> browser.open(console() + "/").address().getPath().equals("/login"));
    }

    @Test
    void keysLeadToPages() {
        open(READ, "/operations").press("g", "q").awaitText("All queues");
        browser.press("g", "f").awaitText("no dead tasks");
        browser.press("g", "i").awaitText("Each process reports its deliveries");
        browser.press("?").awaitText("Keyboard shortcuts");
        browser.press(Keys.ESCAPE).press("/").press("none", Keys.ENTER).awaitText("Results for");
    }

    @Test
    void pageWhenTheApplicationIsAwaySaysHowOldItsDataIs() {
        browser.hurried();
        open(READ, "/").awaitText("Updating every 5 s");

        browser.cut("*renewal*");

        browser.awaitText("Connection lost, reconnecting… Data from");
        assertThat(browser.has("body.stale-parts")).isTrue();
        browser.cut();
        browser.awaitText("Updating every 5 s");
    }
}
