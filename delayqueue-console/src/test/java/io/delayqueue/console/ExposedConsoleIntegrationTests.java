// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.test.context.TestPropertySource;

/** The same application, whose console is exposed at another path. */
@TestPropertySource(properties = {"delayqueue.console.path=/internal/queues", "delayqueue.console.exposed=true"})
class ExposedConsoleIntegrationTests extends ClosedConsoleIntegrationTests {

    @Test
    void consoleIsOpenAtItsPathAndTakesItsOwnFormsOnly() throws Exception {
        String page = send("/internal/queues/queues/mails", "").body();
        assertThat(page).contains("href=\"/internal/queues/operations\"", "Signed in as <strong>anonymous</strong>");
        Matcher token = Pattern.compile("name=\"_token\" value=\"([^\"]+)\"").matcher(page);
        assertThat(token.find()).isTrue();
        String form = "_token=" + token.group(1);
        String pause = "/internal/queues/queues/mails/pause";

        assertThat(send(pause, form).statusCode()).isEqualTo(403);
        assertThat(send(pause, form, "Origin", "http://evil.example").statusCode())
                .isEqualTo(403);
        assertThat(send(pause, "_token=x", "Origin", "http://localhost:" + port).statusCode())
                .isEqualTo(403);
        assertThat(send("/internal/queues/queues/mails", "").body()).doesNotContain(">paused<");
        assertThat(send(pause, form, "Origin", "http://localhost:" + port).statusCode())
                .isEqualTo(303);
        assertThat(send("/internal/queues/queues/mails", "").body()).contains(">paused<");
    }
}
