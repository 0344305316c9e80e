// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.console.browser;

import static io.delayqueue.console.web.StaffApplication.OPERATE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.Due;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;
import org.springframework.test.context.TestPropertySource;

/** The console of an application behind a reverse proxy, which serves it below a prefix. */
@TestPropertySource(
        properties = {
            "delayqueue.key-prefix=proxied",
            "server.servlet.context-path=/shop",
            "server.forward-headers-strategy=framework"
        })
class ConsoleBehindProxyIntegrationTests extends ConsoleScene {

    @Override
    String console() {
        return super.console().replace("/delayqueue", "/shop/delayqueue");
    }

    private FrontProxy proxy() throws IOException {
        return new FrontProxy("/tools/shop", "http://localhost:" + port + "/shop");
    }

    @Test
    void pagesBelowAProxysPrefixLeadToEachOtherAndChangesAreMade() throws IOException {
        schedule("mails", "m", Duration.ofDays(1));
        try (FrontProxy proxy = proxy()) {
            browser.as(OPERATE, OPERATE).open(proxy.address() + "/delayqueue");
            browser.clickLabelled("a", "mails").awaitText("Queues / mails");
            browser.type("#search-id", "m").press(Keys.ENTER).clickLabelled("a", "Task in mails");
            browser.clickLabelled("button", "Cancel").accept();
            await().until(() -> !isThere("mails", "m"));

            assertThat(browser.address().getPath()).startsWith("/tools/shop/delayqueue/queues/mails/task");
            int port = URI.create(proxy.address()).getPort();
            assertThat(browser.requests())
                    .allMatch(request ->
                            request.getPort() == port && request.getPath().startsWith("/tools/shop/delayqueue"));
            browser.open("about:blank"); // before the proxy is gone, which the page asks all the time
        }
    }

    /** Its forms have another token each time. */
    @Test
    void pageWhenItIsRenewedKeepsWhatWasWrittenAndNotSent() throws IOException {
        schedule("mails", "m", Duration.ofDays(1));
        try (FrontProxy proxy = proxy()) {
            browser.hurried().as(OPERATE, OPERATE).open(proxy.address() + "/delayqueue/queues/mails/task?id=m");
            browser.awaitText("Updating every 5 s");
            browser.type("#to", "90m").click("h1");

            tasks.reschedule("mails", "m", Due.at(Instant.parse("2095-01-01T00:00:00Z")));

            browser.awaitText("1 Jan 2095");
            assertThat(browser.script("return document.getElementById('to').value"))
                    .isEqualTo("90m");
            browser.open("about:blank"); // before the proxy is gone, which the page asks all the time
        }
    }
}
