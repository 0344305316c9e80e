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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

/** All pages in light and dark, on a phone, by the keyboard, and without scripts. */
class ConsoleLooksIntegrationTests extends ConsoleScene {

    /** Where the images go that the README shows. */
    private static final Path IMAGES = Path.of(System.getProperty("delayqueue.images", "target/browser"));

    @BeforeEach
    void fill() {
        IntStream.range(0, 60).forEach(i -> schedule("mails", "order-" + i, Duration.ofHours(1 + i * i / 22)));
        schedule("mails", "m", Duration.ofDays(2));
        makeDead("d", "payment service says 503");
        makeDead("d2", "no address");
        browser.as(OPERATE, OPERATE);
    }

    /** In dark colours the same page has other colours, and nothing else. */
    @Test
    void pagesHaveNoSeriousFaultForPeopleWhoSeeOrMoveLittle() {
        open(OPERATE, "/queues/mails/bulk?action=cancel")
                .type("#idPrefix", "order-")
                .clickLabelled("button", "Preview");
        browser.awaitText("Nothing was changed");
        Map<String, String> pages = new LinkedHashMap<>();
        pages.put("operation", browser.address().toString());
        ConsolePages.all().forEach((name, path) -> pages.put(name, console() + path));
        SoftAssertions faults = new SoftAssertions();
        pages.forEach((name, address) -> {
            browser.theme(Theme.LIGHT).open(address);
            faults.assertThat(Accessibility.faults(browser)).as(name).isEmpty();
            browser.theme(Theme.DARK);
            faults.assertThat(brightness()).as(name + " is dark").isLessThan(60);
            faults.assertThat(Accessibility.faultsOfColours(browser))
                    .as(name + " in dark colours")
                    .isEmpty();
        });
        faults.assertAll();
    }

    @Test
    void pagesAreDarkWhereTheSystemIsAndWhereTheViewerSaysSo() {
        open(READ, "/");
        assertThat(brightness()).isGreaterThan(200);

        browser.theme(Theme.DARK).open(console() + "/");
        assertThat(brightness()).isLessThan(60);

        browser.clickLabelled("button", "Theme");
        assertThat(brightness()).isGreaterThan(200);
        browser.open(console() + "/queues/mails");
        assertThat(brightness()).isGreaterThan(200);
        browser.script("localStorage.clear()");
    }

    /** Returns the brightness of the background, up to 255. */
    private double brightness() {
        return ((Number) browser.script("""
                        const parts = getComputedStyle(document.body).backgroundColor.match(/[0-9.]+/g).map(Number);
                        return (parts[0] + parts[1] + parts[2]) / 3;
                        """)).doubleValue();
    }

    @Test
    void pagesOnAPhoneAreNoWiderThanItAndHaveButtonsLargeEnough() {
        browser.size(390, 844);
        SoftAssertions widths = new SoftAssertions();
        ConsolePages.all().forEach((name, path) -> {
            browser.open(console() + path);
            widths.assertThat(browser.script("return document.documentElement.scrollWidth"))
                    .as(name)
                    .isEqualTo(390L);
        });
        widths.assertAll();

        browser.open(console() + "/queues/mails");
        assertThat(browser.script("""
                return Array.from(document.querySelectorAll('main button'))
                    .filter(button => button.offsetParent && button.offsetHeight < 24)
                    .map(button => button.textContent)"""))
                .as("buttons that are too low for a finger")
                .isEqualTo(List.of());
        browser.clickLabelled("button", "Pause").awaitText("paused");
    }

    @Test
    void currentTabOnAPhoneIsInSight() {
        browser.size(390, 844);
        for (String path : List.of("/activity", "/queues/orders/reasons", "/queues/mails/keys")) {
            browser.open(console() + path);
            assertThat(browser.script("""
                    return Array.from(document.querySelectorAll('nav [aria-current]'))
                        .map(tab => tab.getBoundingClientRect())
                        .every(tab => tab.left >= 0 && tab.right <= innerWidth)""")).as(path).isEqualTo(true);
            assertThat(browser.script("return document.querySelector('nav.tabs').scrollWidth"))
                    .as("width of the main tabs")
                    .isEqualTo(browser.script("return document.querySelector('nav.tabs').clientWidth"));
        }
    }

    @Test
    void tasksAreFoundAndCancelledByTheKeyboardAlone() {
        open(OPERATE, "/");
        browser.tabTo(focused -> focused.isDisplayed() && focused.getText().equals("Skip to content"));

        browser.tabTo(focused -> "search-id".equals(focused.getDomAttribute("id")));
        browser.press("m", Keys.ENTER).awaitText("Task in mails");
        browser.tabTo(focused -> focused.getText().equals("Task in mails"));
        browser.press(Keys.ENTER).awaitText("First delivery");
        browser.tabTo(focused -> focused.getText().equals("Cancel"));
        assertThat(browser.script("return getComputedStyle(document.activeElement).outlineStyle"))
                .as("where the focus is has to be seen")
                .isNotEqualTo("none");
        browser.press(Keys.ENTER).accept();

        await().until(() -> !isThere("mails", "m"));
    }

    @Test
    void histogramIsUsedByTheKeyboardAlone() {
        open(READ, "/queues/mails?zoom=week");

        browser.tabTo(focused -> {
            String label = focused.getDomAttribute("aria-label");
            return label != null && label.matches("\\d+ tasks?, .* to .*");
        });
        browser.press(Keys.ENTER).awaitText("Export CSV");

        assertThat(browser.elements("tbody tr")).isNotEmpty();
    }

    @Test
    void imagesOfTheReadmeAreMadeHere(RedisServer redis) {
        try (PastHours past = new PastHours(redis, "browser", "orders")) {
            past.hours(24, "delivered=430,8=300,22=125,30=5");
            past.hours(7 * 24, "delivered=560,8=400,22=150,30=10");
            IntStream.range(0, 60)
                    .forEach(ago -> past.minute(
                            ago,
                            "delivered=%d,failed=%d,%d=3,%d=1"
                                    .formatted(6 + ago % 4, ago < 20 ? 5 : 0, 7 + ago % 3, 18 + ago * 7 % 9)));
        }
        IntStream.range(0, 50).forEach(i -> schedule("mails", "soon-" + i, Duration.ofMinutes(2 + i % 11 * 5)));
        IntStream.range(0, 9)
                .forEach(i -> makeDead("slow-" + i, "Read timed out after " + (3000 + i) + " ms, order " + i));
        browser.hurried();
        browser.size(1366, 700).open(console() + "/").awaitText("orders is failing");
        browser.screenshot(IMAGES.resolve("console-queues.png"));
        browser.size(1366, 1000).open(console() + "/queues/orders").awaitText("Read timed out after");
        browser.screenshot(IMAGES.resolve("console-queue.png"));
        browser.theme(Theme.DARK).open(console() + "/queues/orders/task?id=d");
        browser.screenshot(IMAGES.resolve("console-task.png"));

        assertThat(IMAGES.resolve("console-queue.png")).isNotEmptyFile();
        assertThat(IMAGES.resolve("console-task.png")).isNotEmptyFile();
    }

    @Test
    void pagesWorkWithoutScripts() {
        browser.scriptsAllowed(false);
        Map<String, String> pages = ConsolePages.all();
        open(OPERATE, pages.get("queue")).clickLabelled("button", "Pause");

        await().until(() -> admin.stats("mails").paused());
        openTask(OPERATE, "mails", "m").clickLabelled("button", "Cancel");
        await().until(() -> !isThere("mails", "m"));
    }
}
