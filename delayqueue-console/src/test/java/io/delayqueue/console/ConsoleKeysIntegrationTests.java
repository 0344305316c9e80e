// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.ScheduleRequest;
import io.delayqueue.admin.KeyLimits;
import io.delayqueue.annotation.DelayQueueListener;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.TestPropertySource;

/** Keys over their limit, on pages, and what an operator does about them. */
@TestPropertySource(
        properties = {
            "delayqueue.key-prefix=keys",
            "delayqueue.queues.messages.limits.rate=1000/s",
            "delayqueue.queues.messages.limits.per-key.rate=1/10m",
            "delayqueue.queues.messages.limits.per-key.concurrency=3"
        })
@Import(ConsoleKeysIntegrationTests.Receiver.class)
class ConsoleKeysIntegrationTests extends ConsoleScene {

    private static final String PAGE = "/queues/messages/keys";

    @TestConfiguration(proxyBeanMethods = false)
    static class Receiver {

        @DelayQueueListener(queue = "messages")
        void receive(String message) {
            // delivered
        }
    }

    @BeforeEach
    void openKeys() {
        admin.purge("messages", "messages");
        admin.setKeyLimits("messages", "clinic-17", KeyLimits.NONE);
        admin.openKey("messages", "clinic-17");
    }

    private void send(int messages, String key) {
        for (int i = 0; i < messages; i++) {
            tasks.schedule(ScheduleRequest.to("messages")
                    .key(key)
                    .id("m" + i)
                    .payload("hello")
                    .dueAt(Instant.EPOCH.plusMillis(i))
                    .build());
        }
    }

    private HttpResponse<String> change(String action, Map<String, String> fields) {
        return post("operator", PAGE + "?key=clinic-17", "/queues/messages/" + action, fields);
    }

    @Test
    void keysOverTheirLimitAreListedWithTheirTurn() {
        send(6, "clinic-17");
        send(3, "clinic-18");
        await().until(() -> admin.stats("messages").heldBack() == 7);

        String page = get("support", PAGE).body();

        assertThat(page)
                .contains("aria-current=\"page\">Keys <span class=\"pill warn\">7</span>")
                .containsPattern(
                        "(?s)>clinic-17</a>.*Waiting\">5</td>.*1/10m, 3 at a time.*>clinic-18</a>.*Waiting\">2<")
                .contains("<dt>Queue</dt><dd>1000/s</dd>", "<dt>Each key</dt><dd>1/10m</dd>")
                .doesNotContain("Set limits");
        String key = get("support", PAGE + "?key=clinic-17").body();
        assertThat(key).contains("5 tasks wait, the next until about").doesNotContain("Set limits");
        String task = get("support", "/queues/messages/task?id=" + encoded("{clinic-17}:m5"))
                .body();
        assertThat(task)
                .contains(
                        "Waits for its turn: key clinic-17, 1/10m, 3 at a time. The key&#39;s next task starts about ")
                .contains("/queues/messages/keys?key=clinic-17");
        assertThat(get("support", "/queues/messages").body()).contains("keys\">7</a>");
    }

    @Test
    void limitsOfAKeyAreChangedAndTakenBack() {
        send(4, "clinic-17");
        await().until(() -> admin.stats("messages").heldBack() == 3);

        HttpResponse<String> changed =
                change("limit-key", Map.of("key", "clinic-17", "rate", "100/s", "concurrency", ""));

        assertThat(changed.headers().firstValue("Location").orElseThrow())
                .endsWith("/queues/messages/keys?key=clinic-17&done=limit-key");
        await().until(() ->
                admin.stats("messages").delayed() + admin.stats("messages").heldBack() == 0);
        assertThat(get("operator", PAGE + "?key=clinic-17&done=limit-key").body())
                .contains("The limits of the key were changed", "100/s, 3 at a time", "set at run time");
        change("limit-key", Map.of("key", "clinic-17", "rate", "", "concurrency", ""));
        assertThat(admin.keyLimits("messages", "clinic-17")).isEqualTo(KeyLimits.NONE);
        HttpResponse<String> wrong = change("limit-key", Map.of("key", "clinic-17", "rate", "fast"));
        assertThat(wrong.statusCode()).isEqualTo(400);
        assertThat(wrong.body()).contains("A rate must be", "Set limits");
        assertThat(post(
                                "support",
                                "/queues/messages/bulk",
                                "/queues/messages/limit-key",
                                Map.of("key", "a", "rate", "1/s"))
                        .statusCode())
                .isEqualTo(403);
    }

    @Test
    void keyIsClosedAndOpened() {
        admin.setKeyLimits("messages", "clinic-17", KeyLimits.rate(1000, Duration.ofSeconds(1)));
        change("close-key", Map.of("key", "clinic-17", "until", ""));
        send(2, "clinic-17");
        await().until(() -> admin.stats("messages").heldBack() == 2);

        assertThat(get("operator", PAGE + "?key=clinic-17").body())
                .contains("closed</span> until an operator opens it", "2 tasks wait", "Open key")
                .contains("when an operator opens it");
        assertThat(change("open-key", Map.of("key", "clinic-17")).statusCode()).isEqualTo(303);
        await().until(() -> tasks.find("messages", "{clinic-17}:m1").isEmpty());
        change("close-key", Map.of("key", "clinic-17", "until", "2h"));
        assertThat(admin.keyClosedUntil("messages", "clinic-17").orElseThrow())
                .isBetween(Instant.now().plusSeconds(7100), Instant.now().plusSeconds(7300));
        assertThat(get("operator", PAGE + "?key=clinic-17").body()).contains("closed</span> until <time");
    }
}
