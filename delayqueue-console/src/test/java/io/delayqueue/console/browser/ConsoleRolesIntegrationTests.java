// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.console.browser;

import static io.delayqueue.console.web.StaffApplication.OPERATE;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

/** What users of the four roles are shown, and offered. */
class ConsoleRolesIntegrationTests extends ConsoleScene {

    @BeforeEach
    void scheduleOne() {
        schedule("mails", "m", Duration.ofDays(30));
    }

    @Test
    void whoSignsInByTheApplicationsFormComesBackToThePage() {
        browser.open(console() + "/queues/mails");
        assertThat(browser.address().getPath()).isEqualTo("/login");

        browser.type("#username", OPERATE).type("#password", OPERATE).press(Keys.ENTER);

        browser.awaitText("Queues / mails").clickLabelled("button", "Pause").awaitText("paused");
        assertThat(admin.stats("mails").paused()).isTrue();
    }
}
