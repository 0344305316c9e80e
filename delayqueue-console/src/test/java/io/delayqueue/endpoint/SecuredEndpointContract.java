// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.endpoint;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.test.junit.DelayQueueServers;
import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.actuate.audit.InMemoryAuditEventRepository;
import org.springframework.boot.test.web.server.LocalServerPort;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The endpoint behind a filter chain of Spring Security: who is let in, who may do what there, and what a forged
 * request does.
 */
@DelayQueueServers
abstract class SecuredEndpointContract {

    private static final String CANCEL = "/actuator/delayqueue/queues/orders/cancel";
    private static final String JSON = "application/json";

    private final JsonMapper json = new JsonMapper();
    private final HttpClient client =
            HttpClient.newBuilder().cookieHandler(new CookieManager()).build();

    @LocalServerPort
    private int port;

    @Autowired
    private DelayQueueOperations tasks;

    @Autowired
    private DelayQueueAdmin admin;

    @Autowired
    private InMemoryAuditEventRepository audited;

    @BeforeEach
    void schedule() {
        for (String queue : new String[] {"orders", "billing"}) {
            admin.purge(queue, queue);
            tasks.schedule(requestTo(queue, "t", "secret", Instant.parse("2100-01-01T00:00:00Z")));
        }
    }

    private HttpResponse<String> call(HttpRequest.Builder request, @Nullable String user) {
        if (user != null) {
            String credentials = user + ":" + user;
            request.header(
                    "Authorization",
                    "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8)));
        }
        try {
            return client.send(request.build(), BodyHandlers.ofString());
        } catch (IOException | InterruptedException ex) {
            throw new AssertionError(ex);
        }
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://localhost:" + port + path));
    }

    private HttpResponse<String> get(String path, @Nullable String user) {
        return call(request(path), user);
    }

    private HttpResponse<String> cancel(String user, String contentType, String body) {
        return call(
                request(CANCEL)
                        .header("Content-Type", contentType)
                        .header("X-CSRF-TOKEN", token())
                        .POST(BodyPublishers.ofString(body)),
                user);
    }

    /** Returns the CSRF token of the session to which the client's cookie refers from now on. */
    private String token() {
        return json.readTree(get(SecuredEndpointApplication.TOKEN, null).body())
                .get("token")
                .asString();
    }

    private boolean taskIsThere() {
        return tasks.find("orders", "t").isPresent();
    }

    @Test
    void readWhenNobodyIsLoggedInOrTheRoleIsAnotherOneIsRefused() {
        assertThat(get("/actuator/delayqueue", null).statusCode()).isEqualTo(401);
        assertThat(get("/actuator/delayqueue", "clerk").statusCode()).isEqualTo(403);
    }

    @Test
    void readWhenTheResolverMapsTheRoleToReadingShowsThoseQueuesWithoutPayloads() {
        HttpResponse<String> queues = get("/actuator/delayqueue", "support");

        assertThat(queues.statusCode()).isEqualTo(200);
        JsonNode listed = json.readTree(queues.body()).get("queues");
        assertThat(listed.size()).isEqualTo(1);
        assertThat(listed.get(0).get("queue").asString()).isEqualTo("orders");
        assertThat(listed.get(0).get("permissions").toString()).isEqualTo("[\"READ\"]");
        assertThat(get("/actuator/delayqueue/queues/orders/task?id=t", "support")
                        .body())
                .contains("\"t\"")
                .doesNotContain("secret");
        assertThat(get("/actuator/delayqueue/queues/billing", "support").statusCode())
                .isEqualTo(404);
    }

    @Test
    void readWhenTheResolverMapsTheRoleToPayloadsShowsThem() {
        assertThat(get("/actuator/delayqueue/queues/orders/task?id=t", "auditor")
                        .body())
                .contains("secret");
    }

    @ParameterizedTest
    @ValueSource(strings = {"support", "auditor"})
    void changeWhenTheRoleOnlyReadsIsRefusedAndAuditedUnderThePrincipalsName(String user) {
        Instant before = Instant.now();

        HttpResponse<String> refused = cancel(user, JSON, "{\"id\":\"t\"}");

        assertThat(refused.statusCode()).as(refused.body()).isEqualTo(403);
        assertThat(json.readTree(refused.body()).get("error").asString()).contains("orders");
        assertThat(taskIsThere()).isTrue();
        assertThat(audited.find(user, before, "DELAYQUEUE_CANCEL"))
                .singleElement()
                .satisfies(event -> assertThat(event.getData()).containsEntry("outcome", "refused"));
    }

    @Test
    void changeWhenTheRoleOperatesIsMadeAndAuditedUnderThePrincipalsName() {
        Instant before = Instant.now();

        HttpResponse<String> cancelled = cancel("operator", JSON, "{\"id\":\"t\"}");

        assertThat(cancelled.statusCode()).as(cancelled.body()).isEqualTo(200);
        assertThat(taskIsThere()).isFalse();
        assertThat(audited.find("operator", before, "DELAYQUEUE_CANCEL"))
                .singleElement()
                .satisfies(event -> assertThat(event.getData()).containsEntry("outcome", "CANCELLED"));
    }

    @Test
    void changeWhenTheTokenIsMissingOrAnotherOneIsRefused() {
        HttpRequest.Builder without =
                request(CANCEL).header("Content-Type", JSON).POST(BodyPublishers.ofString("{\"id\":\"t\"}"));
        HttpRequest.Builder forged = request(CANCEL)
                .header("Content-Type", JSON)
                .header("X-CSRF-TOKEN", "forged")
                .POST(BodyPublishers.ofString("{\"id\":\"t\"}"));

        assertThat(call(without, "operator").statusCode()).isEqualTo(403);
        assertThat(call(forged, "operator").statusCode()).isEqualTo(403);
        assertThat(taskIsThere()).isTrue();
    }

    /** Sends requests that a page of another site can make without a preflight. */
    @ParameterizedTest
    @ValueSource(strings = {"application/x-www-form-urlencoded", "text/plain", "multipart/form-data; boundary=x"})
    void changeWhenItIsNoJsonIsRefusedThoughTheTokenIsRight(String contentType) {
        assertThat(cancel("operator", contentType, "{\"id\":\"t\"}").statusCode())
                .isEqualTo(415);
        assertThat(taskIsThere()).isTrue();
    }
}
