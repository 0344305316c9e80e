// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.console.browser;

import static io.delayqueue.console.web.StaffApplication.OPERATE;
import static io.delayqueue.console.web.StaffApplication.READ;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Pages that are open for long. */
class ConsoleLiveIntegrationTests extends ConsoleScene {

    private void hide(boolean hidden) {
        browser.script("Object.defineProperty(document, 'hidden', { configurable: true, get: () => arguments[0] });"
                        .replace("arguments[0]", String.valueOf(hidden))
                + "document.dispatchEvent(new Event('visibilitychange'));");
    }

    private static final String UPDATED = "Updating every 5 s";

    private Browser openLive(String user, String path) {
        browser.hurried();
        return open(user, path).awaitText(UPDATED);
    }

    @Test
    void pageWhenNobodyLooksAtItIsNotRenewedUntilSomebodyDoes() {
        openLive(READ, "/");
        hide(true);
        browser.script("document.getElementById('live-state').textContent = 'hidden'");
        int asked = browser.requests().size();
        admin.pause("mails");

        hide(false);

        browser.awaitText("paused").awaitText(UPDATED);
        assertThat(browser.requests()).hasSizeGreaterThan(asked);
    }

    @Test
    void wordsThatWhatIsSeenMayBeOldGoAwayThoughNothingChanges() {
        openLive(READ, "/");

        browser.script("document.getElementById('live-state').textContent = 'What you see may be old.'");

        browser.awaitGone("may be old").awaitText(UPDATED);
    }

    @Test
    void pageIsRenewedWithoutBeingLoadedAgain() {
        openLive(READ, "/").script("window.mark = 'same page'");

        schedule("mails", "m", Duration.ofDays(1));
        admin.pause("mails");

        browser.awaitText("paused");
        assertThat(browser.script("return window.mark")).isEqualTo("same page");
    }

    /** Otherwise a click could reach another queue than the one that the user points at. */
    @Test
    void queuesStayWhereTheyAreWhileAnotherOneGetsIntoTrouble() {
        browser.size(1366, 400);
        openLive(OPERATE, "/");
        List<String> order = browser.texts("tr[data-queue] th a");
        assertThat(order).last().isEqualTo("orders");
        browser.hover("tr[data-queue=orders] th a");
        double top = top("orders");

        for (int i = 0; i < 6; i++) {
            makeDead("o" + i, "503");
        }
        browser.awaitText("orders is failing").awaitText("+6 in 1 h");
        await().until(() -> browser.text("tr[data-queue=orders]").contains("Failing"));

        assertThat(browser.texts("tr[data-queue] th a")).isEqualTo(order);
        assertThat(top("orders")).isCloseTo(top, within(1.0));
        assertThat(browser.script("return scrollY")).isNotEqualTo(0L);
        open(OPERATE, "/");
        assertThat(browser.texts("tr[data-queue] th a")).first().isEqualTo("orders");
    }

    private double top(String queue) {
        Object top = browser.script(
                "return document.querySelector('tr[data-queue=' + arguments[0] + ']').getBoundingClientRect().top",
                queue);
        return ((Number) top).doubleValue();
    }

    @Test
    void timeThatWasPastedStaysAsItIsWhileThePageIsRenewed() {
        schedule("mails", "m", Duration.ofMinutes(50));
        browser.hurried();
        openTask(OPERATE, "mails", "m").awaitText(UPDATED).type("#to", "2030-12-24T18:00:00Z");
        browser.script("document.activeElement.blur()");
        String story = browser.text(".story");

        await().until(() -> !browser.text(".story").equals(story));

        assertThat(browser.script("return document.getElementById('to').value")).isEqualTo("2030-12-24T18:00:00Z");
    }

    @Test
    void tabsThatAreScrolledStayWhereTheyAreWhileThePageIsRenewed() {
        browser.size(390, 844);
        openLive(OPERATE, "/queues/mails");
        browser.script("document.querySelector('.subtabs').scrollLeft = 100");

        schedule("mails", "m", Duration.ofDays(1));
        await().until(() -> browser.text(".subtabs").contains("1"));

        assertThat(browser.script("return document.querySelector('.subtabs').scrollLeft"))
                .isEqualTo(100L);
    }

    /** Otherwise users could not copy an id or a payload. */
    @Test
    void textThatIsSelectedStaysSelectedWhileThePageIsRenewed() {
        schedule("mails", "m", Duration.ofMinutes(50));
        browser.hurried();
        openTask(OPERATE, "mails", "m").awaitText(UPDATED);
        for (int width : new int[] {1366, 1920, 390}) {
            browser.size(width, 900);
            browser.script("getSelection().selectAllChildren(document.querySelector('[data-live=task-facts] dl'))");
            Object selected = browser.script("return getSelection().toString()");
            int asked = browser.requests().size();

            await().until(() -> browser.requests().size() > asked + 2);

            assertThat(browser.script("return getSelection().toString()"))
                    .as("at %d px", width)
                    .isEqualTo(selected)
                    .asString()
                    .contains("Payload");
        }
        tasks.cancel("mails", "m");
        browser.script("getSelection().removeAllRanges()");
        browser.awaitText("The queue has no task with this id");
    }

    @Test
    void wordsOfAChangeAreGoneWhenThePageIsLoadedAgain() {
        open(OPERATE, "/queues/mails").clickLabelled("button", "Pause").awaitText("The queue mails was paused");

        browser.open(browser.address().toString()).awaitText("Paused").awaitGone("The queue mails was paused");
    }
}
