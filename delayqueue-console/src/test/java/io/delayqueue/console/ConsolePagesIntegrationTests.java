// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;

class ConsolePagesIntegrationTests extends ConsoleScene {

    @Test
    void queuesWhenReadShowTheirNumbers() {
        schedule("mails", "m", FAR);
        admin.pause("orders");

        HttpResponse<String> page = get("support", "");

        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.body())
                .contains(">orders</a>", "<span class=\"mark warn\">paused</span>")
                .contains("<td class=\"number\"><a href=\"/delayqueue/queues/mails/tasks\">1</a></td>")
                .contains("Signed in as <strong>support</strong>");
        assertThat(page.headers().firstValue("Content-Security-Policy").orElseThrow())
                .contains("default-src 'none'", "frame-ancestors 'none'")
                .doesNotContain("unsafe");
        assertThat(page.headers().firstValue("Cache-Control")).hasValue("no-store");
    }

    @Test
    void queuesWhenNoneMayBeReadSaysSo() {
        assertThat(get("customer", "").body())
                .contains("no queue that you may see")
                .doesNotContain("orders");
    }

    @Test
    void pageWhenItIsNotThereSaysSo() {
        HttpResponse<String> page = get("support", "/nowhere");
        assertThat(page.statusCode()).isEqualTo(404);
        assertThat(page.body()).contains("There is no such page");
    }

    @Test
    void fileWhenNamedByAPageIsKeptByTheBrowser() {
        String page = get("support", "").body();
        String css = page.replaceAll("(?s).*href=\"/delayqueue(/assets/[^\"]+\\.css)\".*", "$1");

        HttpResponse<String> file = get("support", css);

        assertThat(file.statusCode()).isEqualTo(200);
        assertThat(file.headers().firstValue("Cache-Control").orElseThrow()).contains("immutable");
        assertThat(get("support", "/assets/older/console.css").headers().firstValue("Cache-Control"))
                .hasValue("no-store");
        assertThat(get("support", "/assets/older/..%2Fframe.mustache").statusCode())
                .isIn(400, 404);
    }
}
