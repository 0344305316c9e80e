// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.console.browser;

import static io.delayqueue.console.web.StaffApplication.OPERATE;
import static io.delayqueue.console.web.StaffApplication.READ;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
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
        open(OPERATE, "/queues/mails").clickLabelled("button", "Pause").awaitText("The queue was paused");

        browser.open(browser.address().toString()).awaitText("Paused").awaitGone("The queue was paused");
    }
}
