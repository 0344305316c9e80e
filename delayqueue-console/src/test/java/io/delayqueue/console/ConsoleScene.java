// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.console;

import static org.awaitility.Awaitility.await;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.TaskState;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.test.junit.DelayQueueServers;
import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

/** The console over HTTP, on a real Redis. */
@SpringBootTest(
        classes = ConsoleApplication.class,
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {
            "delayqueue.key-prefix=scene",
            "delayqueue.queues.orders.retry.max-retries=0",
            "delayqueue.queues.orders.shards=2",
            "delayqueue.queues.orders.stack-trace-size=4KB",
            "delayqueue.queues.mails.lease=15s",
            "delayqueue.queues.mails.history=1000",
            "delayqueue.console.exposed=true",
            "delayqueue.rabbit.enabled=false"
        })
@DelayQueueServers
abstract class ConsoleScene {

    static final Instant FAR = Instant.parse("2100-01-01T00:00:00Z");

    private static final Pattern TOKEN = Pattern.compile("type=\"hidden\" name=\"([^\"]+)\" value=\"([^\"]+)\"");

    private final HttpClient client =
            HttpClient.newBuilder().cookieHandler(new CookieManager()).build();

    @LocalServerPort
    int port;

    @Autowired
    DelayQueueOperations tasks;

    @Autowired
    DelayQueueAdmin admin;

    @BeforeEach
    void empty() {
        admin.resume("orders");
        admin.resume("mails");
        admin.purge("orders", "orders");
        admin.purge("mails", "mails");
    }

    String console() {
        return "http://localhost:" + port + "/delayqueue";
    }

    HttpResponse<String> get(String user, String path, String... headers) {
        return send(request(user, path, headers));
    }

    HttpRequest.Builder request(String user, String path, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(console() + path));
        if (!user.isEmpty()) {
            request.header("Authorization", "Basic " + base64(user + ":" + user));
        }
        return headers.length == 0 ? request : request.headers(headers);
    }

    /** Sends a form that has the token of another page. */
    HttpResponse<String> post(String user, String page, String path, Map<String, String> fields, String... headers) {
        Matcher token = TOKEN.matcher(get(user, page).body());
        String body = fields.entrySet().stream()
                .map(field -> field.getKey() + "=" + encoded(field.getValue()))
                .collect(Collectors.joining("&"));
        if (token.find()) {
            body += "&" + token.group(1) + "=" + encoded(token.group(2));
        }
        return send(request(user, path, headers)
                .header("Sec-Fetch-Site", "same-origin")
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(body)));
    }

    HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return client.send(request.build(), BodyHandlers.ofString());
        } catch (IOException | InterruptedException ex) {
            throw new AssertionError(ex);
        }
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    void schedule(String queue, String id, Instant dueAt) {
        tasks.schedule(ScheduleRequest.to(queue)
                .id(id)
                .payload("<i>secret</i> of " + id)
                .header("tenant", "acme")
                .dueAt(dueAt)
                .build());
    }

    /** In the queue orders, whose deliveries fail for good. */
    void makeDead(String... ids) {
        for (String id : ids) {
            schedule("orders", id, Instant.EPOCH);
        }
        List.of(ids)
                .forEach(id -> await().until(() -> tasks.find("orders", id)
                        .filter(task -> task.state() == TaskState.DEAD)
                        .isPresent()));
    }
}
