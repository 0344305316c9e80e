// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.console.browser;

import static io.delayqueue.console.web.StaffApplication.CUSTOMER;
import static io.delayqueue.console.web.StaffApplication.NONE;
import static io.delayqueue.console.web.StaffApplication.OPERATE;
import static io.delayqueue.console.web.StaffApplication.PAYLOAD;
import static io.delayqueue.console.web.StaffApplication.READ;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
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
    void noneSeesNoQueueAndNoTask() {
        open(NONE, "/").awaitText("no queue that you may see");
        for (String page : List.of("/queues/mails", "/queues/mails/tasks", "/queues/mails/task?id=m", "/search?id=m")) {
            assertThat(open(NONE, page).text()).doesNotContain("acme", "30 days", "Task in mails");
        }
    }

    @Test
    void readSeesTasksWithoutPayloadsAndIsOfferedNoChange() {
        openTask(READ, "mails", "m").awaitText("acme");
        assertThat(browser.text()).doesNotContain("secret");
        assertIsOfferedNoChange();
        open(READ, "/queues/mails");
        assertIsOfferedNoChange();
    }

    @Test
    void operateIsOfferedChangesAndSeesNoPayload() {
        openTask(OPERATE, "mails", "m").awaitText("acme").labelled("button", "Cancel");
        assertThat(browser.text()).doesNotContain("secret");
        open(OPERATE, "/queues/mails").labelled("button", "Pause");
    }

    @Test
    void payloadSeesPayloadsAndIsOfferedNoChange() {
        openTask(PAYLOAD, "mails", "m").awaitText("secret of m");
        assertIsOfferedNoChange();
    }

    private void assertIsOfferedNoChange() {
        assertThat(browser.elements("main form[method=post]")).isEmpty();
    }

    @Test
    void whoSignsInByTheApplicationsFormComesBackToThePage() {
        browser.open(console() + "/queues/mails");
        assertThat(browser.address().getPath()).isEqualTo("/login");

        browser.type("#username", OPERATE).type("#password", OPERATE).press(Keys.ENTER);

        browser.awaitText("Queues / mails").clickLabelled("button", "Pause").awaitText("paused");
        assertThat(admin.stats("mails").paused()).isTrue();
    }

    @Test
    void whoIsKnownAndHasNoSuchRoleIsRefused() {
        assertThat(open(CUSTOMER, "/").text()).doesNotContain("mails");
    }
}
