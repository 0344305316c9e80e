// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.console.browser;

import static io.delayqueue.console.web.StaffApplication.OPERATE;
import static io.delayqueue.console.web.StaffApplication.PAYLOAD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.BadInput;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/** The contents of ids, reasons, headers and payloads are shown as text, without any effect. */
class ConsoleHostileInputIntegrationTests extends ConsoleScene {

    private static final String SCRIPT = "<script>window.hacked=1</script><img src=x onerror=window.hacked=1>";
    private static final Duration FAR = Duration.ofDays(30);

    @Autowired
    private RedisConnectionFactory redis;

    @Test
    void idsAreShownAsTheyAreAndTheirTasksAreFoundAndCancelled() {
        List<String> ids = List.of(
                "<script>window.hacked=1</script>",
                "\"><img/src=x/onerror=window.hacked=1>",
                "'-window.hacked=1-'",
                "{{7*7}}{{{x}}}",
                "javascript:window.hacked=1",
                "../../../assets",
                "a?b=c&d#e%2F%00+",
                "&lt;b&gt;&amp;",
                "--></title><svg/onload=window.hacked=1>");
        ids.forEach(id -> schedule("mails", id, SCRIPT, FAR, Map.of("k", SCRIPT)));

        open(OPERATE, "/queues/mails/tasks");
        assertThat(browser.texts("tbody th a")).containsExactlyInAnyOrderElementsOf(ids);
        assertNothingRan();
        for (String id : ids) {
            open(OPERATE, "/queues/mails/tasks").clickLabelled("tbody th a", id);
            await().untilAsserted(() ->
                    assertThat(browser.texts("h1")).singleElement().asString().contains(id));
            assertThat(browser.text()).contains(SCRIPT);
            assertNothingRan();
        }
        String last = ids.get(ids.size() - 1);
        browser.clickLabelled("button", "Cancel").accept();
        await().until(() -> !isThere("mails", last));
        assertNothingRan();
    }

    @Test
    void payloadsAndHeadersOfTheCorpusAreShownAsText() {
        List<String> payloads = Stream.concat(
                        BadInput.json().map(BadInput.Case::input).filter(text -> text.length() < 2000),
                        Stream.of(BadInput.FORGERY, SCRIPT, "</pre>" + SCRIPT, "\u202egnp", "caf\u00e9\ud83d\ude00"))
                .toList();
        for (int i = 0; i < payloads.size(); i++) {
            schedule("mails", "p" + i, payloads.get(i), FAR, Map.of("k", SCRIPT));
        }
        BadInput.oddHeaders().forEach(odd -> schedule("mails", "h" + odd.name().hashCode(), "x", FAR, odd.input()));

        for (int i = 0; i < payloads.size(); i++) {
            openTask(PAYLOAD, "mails", "p" + i);
            String payload = payloads.get(i);
            if (!payload.isBlank() && payload.chars().allMatch(c -> c >= ' ' && c < 0x7f)) {
                assertThat(browser.script("return document.querySelector('pre').textContent"))
                        .isEqualTo(payload);
            }
            assertNothingRan();
        }
        BadInput.oddHeaders().forEach(odd -> {
            openTask(PAYLOAD, "mails", "h" + odd.name().hashCode());
            odd.input().keySet().forEach(name -> assertThat(browser.text()).contains(name));
        });
        assertNothingRan();
    }

    @Test
    void reasonsAreShownAsText() {
        makeDead("script", SCRIPT);
        makeDead("forgery", BadInput.FORGERY);
        for (String page : List.of("/queues/orders/reasons", "/queues/orders/tasks?state=dead")) {
            assertThat(open(OPERATE, page).text()).contains("<script>window.hacked=", "forged line");
            assertNothingRan();
        }
        assertThat(openTask(OPERATE, "orders", "script").text()).contains("<img src=x onerror=");
        assertNothingRan();
    }

    /** Ids that no task can be scheduled with, and that something else left in Redis. */
    @Test
    void storedIdsOfTheCorpusAreShownAsText() {
        List<byte[]> ids = BadInput.storedIds()
                .map(stored -> stored.input().getBytes(StandardCharsets.ISO_8859_1))
                .filter(id -> id.length < 10_000)
                .toList();
        byte[] dead = "browser:{orders:0}:dead".getBytes(StandardCharsets.US_ASCII);
        try (RedisConnection connection = redis.getConnection()) {
            ids.forEach(id -> connection.zSetCommands().zAdd(dead, System.currentTimeMillis(), id));
        }

        open(OPERATE, "/queues/orders/tasks?state=dead");

        await().untilAsserted(() -> assertThat(browser.elements("tbody tr")).hasSize(ids.size()));
        assertThat(browser.text()).contains("a\\u000d", "\\u001b", "\\u0000");
        String shown = String.join("", browser.texts("tbody th a"));
        assertThat(shown.chars().allMatch(c -> c == '\n' || c >= ' ' && c < 0x7f))
                .isTrue();
        assertNothingRan();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/search?id=%3Cscript%3Ewindow.hacked=1%3C/script%3E",
                "/queues/mails/tasks?idPrefix=%22%3E%3Cscript%3Ewindow.hacked=1%3C/script%3E",
                "/queues/%3Cscript%3Ewindow.hacked=1%3C%2Fscript%3E",
                "/queues/mails?zoom=%3Cscript%3Ewindow.hacked=1%3C/script%3E",
                "/queues/mails/tasks?from=%3Cscript%3Ewindow.hacked=1%3C/script%3E",
                "/queues/mails?done=%3Cscript%3Ewindow.hacked=1%3C/script%3E",
                "/operations/%3Cscript%3Ewindow.hacked=1%3C%2Fscript%3E",
                "/%3Cscript%3Ewindow.hacked=1%3C%2Fscript%3E"
            })
    void parametersAndPathsDoNothing(String path) {
        open(OPERATE, path).element("body");

        assertNothingRan();
    }

    private void assertNothingRan() {
        assertThat(browser.script("return typeof window.hacked")).isEqualTo("undefined");
        assertThat(browser.elements("main img, main script, svg[onload]")).isEmpty();
    }
}
