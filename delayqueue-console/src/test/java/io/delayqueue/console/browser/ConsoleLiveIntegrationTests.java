// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.console.browser;

import static io.delayqueue.console.web.StaffApplication.OPERATE;
import static io.delayqueue.console.web.StaffApplication.READ;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.internal.console.OpenStreams;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/** Pages that are open for long. */
class ConsoleLiveIntegrationTests extends ConsoleScene {

    @Autowired
    private OpenStreams streams;

    private void hide(boolean hidden) {
        browser.script("Object.defineProperty(document, 'hidden', { configurable: true, get: () => arguments[0] });"
                        .replace("arguments[0]", String.valueOf(hidden))
                + "document.dispatchEvent(new Event('visibilitychange'));");
    }

    private void awaitStreams(int count) {
        await().atMost(Duration.ofSeconds(20)).until(() -> streams.count() == count);
    }

    @Test
    void streamWhenNobodyLooksAtThePageIsClosedUntilSomebodyDoes() {
        awaitStreams(0);
        open(READ, "/").awaitText("Live.");
        awaitStreams(1);

        hide(true);
        awaitStreams(0);
        admin.pause("mails");
        hide(false);

        browser.awaitText("paused");
        awaitStreams(1);
        admin.resume("mails");
    }

    @Test
    void wordsThatWhatIsSeenMayBeOldGoAwayThoughNothingChanges() {
        open(READ, "/").awaitText("Live.");

        browser.script("document.getElementById('live-state').textContent = 'What you see may be old.'");

        browser.awaitGone("may be old").awaitText("Live.");
        assertThat(browser.text("#live-state")).isEqualTo("Live.");
    }

    @Test
    void taskWhenItHasEndedIsGoneFromItsPageWithWhatCouldBeDoneToIt() {
        schedule("mails", "m", Duration.ofDays(1));
        openTask(OPERATE, "mails", "m").awaitText("Live.").awaitText("Deliver now");

        tasks.cancel("mails", "m");

        browser.awaitText("The queue has no task of this id").awaitGone("Deliver now");
    }

    @Test
    void wordsOfAChangeAreGoneWhenThePageIsLoadedAgain() {
        open(OPERATE, "/queues/mails").clickLabelled("button", "Pause").awaitText("The queue was paused");

        browser.open(browser.address().toString()).awaitText("paused").awaitGone("The queue was paused");
    }
}
