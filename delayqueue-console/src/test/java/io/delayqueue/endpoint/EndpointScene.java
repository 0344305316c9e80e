// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.TaskState;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.test.junit.DelayQueueServers;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The endpoint over HTTP, on a real Redis. */
@SpringBootTest(
        classes = EndpointApplication.class,
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {
            "spring.autoconfigure.exclude=org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration",
            "logging.level.org.apache=warn",
            "delayqueue.queues.orders.retry.max-retries=0",
            "delayqueue.queues.orders.shards=2",
            "delayqueue.queues.orders.stack-trace-size=4KB",
            "delayqueue.queues.orders.history=1000",
            "delayqueue.queues.mails.lease=15s",
            "management.auditevents.enabled=false",
            "management.endpoints.web.exposure.include=delayqueue"
        })
@DelayQueueServers
abstract class EndpointScene {

    static final Instant FAR = Instant.parse("2100-01-01T00:00:00Z");

    final JsonMapper json = new JsonMapper();
    private final HttpClient client = HttpClient.newHttpClient();

    @LocalServerPort
    private int port;

    @Autowired
    DelayQueueOperations tasks;

    @Autowired
    DelayQueueAdmin admin;

    @BeforeEach
    void empty() {
        admin.resume("orders");
        admin.purge("orders", "orders");
        admin.purge("mails", "mails");
    }

    /** The status and what was answered. */
    record Answer(int status, String body, JsonNode json, String location) {}

    Answer call(String method, String path, @Nullable String body, @Nullable String user) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base() + path))
                .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (body != null) {
            request.header("Content-Type", "application/json");
        }
        if (user != null) {
            request.header(EndpointApplication.USER, user);
        }
        try {
            HttpResponse<String> response = client.send(request.build(), BodyHandlers.ofString());
            boolean isJson = response.headers()
                    .firstValue("Content-Type")
                    .filter(type -> type.contains("json"))
                    .isPresent();
            return new Answer(
                    response.statusCode(),
                    response.body(),
                    isJson ? json.readTree(response.body()) : json.createObjectNode(),
                    response.headers().firstValue("Location").orElse(""));
        } catch (IOException | InterruptedException ex) {
            throw new AssertionError(method + " " + path, ex);
        }
    }

    String base() {
        return "http://localhost:" + port + "/actuator/delayqueue";
    }

    Answer get(String path) {
        return call("GET", path, null, null);
    }

    Answer post(String path, Map<String, ?> body) {
        return call("POST", path, json.writeValueAsString(body), null);
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    void schedule(String queue, String id, Instant dueAt) {
        tasks.schedule(ScheduleRequest.to(queue)
                .id(id)
                .payload("secret of " + id)
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

    JsonNode ended(String handle) {
        return await().until(
                        () -> get("/operations/" + handle).json().get("operation"),
                        operation -> !operation.get("status").asString().equals("RUNNING"));
    }

    static void assertStatus(Answer answer, int status) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
    }
}
