// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.console.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.TaskState;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.console.web.StaffApplication;
import io.delayqueue.test.junit.DelayQueueServers;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

/**
 * The console in a browser, on a real Redis. After each test the browser has logged no complaint, has asked no other
 * host for anything, and has no cookies but the application's session.
 */
@SpringBootTest(
        classes = StaffApplication.class,
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {
            "delayqueue.key-prefix=browser",
            "delayqueue.queues.orders.retry.max-retries=0",
            "delayqueue.queues.orders.shards=2",
            "delayqueue.queues.mails.shards=2",
            "delayqueue.console.roles=" + StaffApplication.MAY_ENTER,
            "delayqueue.console.label=staging",
            "delayqueue.console.sign-out=/logout",
            "spring.application.name=shop"
        })
@DelayQueueServers
@ExtendWith(BrowserExtension.class)
abstract class ConsoleScene {

    @LocalServerPort
    int port;

    @Autowired
    DelayQueueOperations tasks;

    @Autowired
    DelayQueueAdmin admin;

    @Autowired
    AtomicBoolean broken;

    Browser browser;

    @BeforeEach
    void empty(Browser fresh) {
        browser = fresh;
        broken.set(true);
        for (String queue : List.of("orders", "mails")) {
            admin.resume(queue);
            admin.purge(queue, queue);
        }
    }

    @AfterEach
    void browserHasNothingToComplainOf() {
        assertThat(browser.complaints()).isEmpty();
        assertThat(browser.requests()).extracting(URI::getHost).containsOnly("localhost");
        assertThat(browser.cookies()).isSubsetOf("JSESSIONID");
    }

    String console() {
        return "http://localhost:" + port + "/delayqueue";
    }

    Browser open(String user, String path) {
        return browser.as(user, user).open(console() + path);
    }

    Browser openTask(String user, String queue, String id) {
        return open(user, "/queues/" + queue + "/task?id=" + URLEncoder.encode(id, StandardCharsets.UTF_8));
    }

    void schedule(String queue, String id, Duration delay) {
        schedule(queue, id, "secret of " + id, delay, Map.of("tenant", "acme"));
    }

    void schedule(String queue, String id, String payload, Duration delay, Map<String, String> headers) {
        ScheduleRequest.Builder<Object> request = ScheduleRequest.to(queue)
                .id(id)
                .payload(payload)
                .dueAt(Instant.now().plus(delay));
        headers.forEach(request::header);
        tasks.schedule(request.build());
    }

    /** In the queue orders, whose deliveries fail for good. */
    void makeDead(String id, String reason) {
        schedule("orders", id, "reason:" + reason, Duration.ZERO, Map.of());
        await().until(() -> isDead(id));
    }

    boolean isDead(String id) {
        return tasks.find("orders", id)
                .filter(task -> task.state() == TaskState.DEAD)
                .isPresent();
    }

    boolean isThere(String queue, String id) {
        return tasks.find(queue, id).isPresent();
    }
}
