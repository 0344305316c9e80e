// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.guide.webhooks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.delayqueue.DelayQueueOperations;
import io.delayqueue.Due;
import io.delayqueue.FoundTask;
import io.delayqueue.TaskState;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.guide.GuideTest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

@GuideTest
class WebhooksIntegrationTests {

    private final AtomicInteger status = new AtomicInteger(200);
    private final List<String> keys = new CopyOnWriteArrayList<>();
    private HttpServer customer;

    @Autowired
    private Webhooks webhooks;

    @Autowired
    private DelayQueueOperations delayQueue;

    @Autowired
    private DelayQueueAdmin admin;

    @BeforeEach
    void startCustomer() throws IOException {
        customer = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        customer.createContext("/hook", exchange -> {
            keys.add(exchange.getRequestHeaders().getFirst("Idempotency-Key"));
            exchange.getResponseHeaders().add("Retry-After", "3600");
            exchange.sendResponseHeaders(status.get(), -1);
            exchange.close();
        });
        customer.start();
    }

    @AfterEach
    void stopCustomer() {
        customer.stop(0);
    }

    @Test
    void callWhenTakenIsMadeOnce() {
        send("taken");
        await().until(() -> find("taken").isEmpty());
        assertThat(keys).hasSize(1);
    }

    @Test
    void callWhenTheCustomerIsBrokenIsMadeAgainWithTheSameKey() {
        status.set(500);
        send("broken");
        await().until(() -> find("broken")
                .filter(task -> task.failures() == 1 && task.state() == TaskState.SCHEDULED)
                .isPresent());
        status.set(204);
        delayQueue.reschedule("webhooks", "broken", Due.now());
        await().until(() -> find("broken").isEmpty());
        assertThat(keys).hasSize(2);
        assertThat(keys.get(0)).isEqualTo(keys.get(1));
    }

    @Test
    void callWhenAskedToWaitComesWhenItMay() {
        status.set(429);
        send("patient");
        await().until(() -> find("patient")
                .filter(task -> task.nextAttentionAt().isAfter(Instant.now().plus(Duration.ofMinutes(50))))
                .isPresent());
        assertThat(find("patient").orElseThrow().failures()).isZero();
    }

    @Test
    void callWhenNotWantedAnyMoreIsDeadAndCanBeRedriven() {
        status.set(410);
        send("gone");
        await().until(() ->
                find("gone").filter(task -> task.state() == TaskState.DEAD).isPresent());
        assertThat(find("gone").orElseThrow().lastReason().orElseThrow()).contains("410");
        status.set(200);
        admin.redriveAll("webhooks", 100);
        await().until(() -> find("gone").isEmpty());
    }

    private Optional<? extends FoundTask<?>> find(String id) {
        return delayQueue.find("webhooks", id);
    }

    private void send(String eventId) {
        String url = "http://127.0.0.1:" + customer.getAddress().getPort() + "/hook";
        webhooks.send("acme", eventId, new WebhookCall(url, "{}"), Duration.ZERO);
    }
}
