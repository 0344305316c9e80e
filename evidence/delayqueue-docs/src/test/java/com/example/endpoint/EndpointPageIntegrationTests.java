// SPDX-License-Identifier: Apache-2.0
package com.example.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.test.junit.DelayQueueServers;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.ActiveProfiles;

/** The rules of docs/security.md, with the sample's yml and a user of the role SUPPORT. */
@SpringBootTest(
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {
            "spring.security.user.roles=SUPPORT",
            "spring.sql.init.mode=never",
            "delayqueue.key-prefix=endpoint-page",
            "delayqueue.queues.billing.lease=15s",
            "management.endpoint.delayqueue.access=unrestricted"
        })
@ActiveProfiles("brokerless")
@DelayQueueServers
class EndpointPageIntegrationTests {

    @LocalServerPort
    private int port;

    @Test
    void endpointWhenAskedBySupportShowsWhatSupportMayRead() throws Exception {
        HttpResponse<String> queues = get("/actuator/delayqueue", "operator:demo");
        assertThat(queues.statusCode()).isEqualTo(200);
        assertThat(queues.body()).contains("\"orders\"").doesNotContain("billing");
    }

    @Test
    void everythingWhenNobodyIsSignedInIsClosed() throws Exception {
        assertThat(get("/actuator/delayqueue", "nobody:x").statusCode()).isEqualTo(401);
        assertThat(get("/elsewhere", "nobody:x").statusCode()).isEqualTo(401);
    }

    @Test
    void changeWithoutATokenComesToTheRulesOfTheQueueIfItIsJson() throws Exception {
        String pause = "/actuator/delayqueue/queues/orders/pause";
        HttpResponse<String> json = post(pause, "application/json", "{}");
        assertThat(json.statusCode()).isEqualTo(403);
        assertThat(json.body()).contains("operator lacks the permission OPERATE");

        assertThat(post(pause, "application/x-www-form-urlencoded", "id=42").statusCode())
                .as("a form of another site can send this")
                .isEqualTo(415);
        assertThat(post(pause, "text/plain", "{}").statusCode()).isEqualTo(415);
    }

    private HttpResponse<String> get(String path, String user) throws IOException, InterruptedException {
        return send(request(path, user).build());
    }

    private HttpResponse<String> post(String path, String type, String body) throws IOException, InterruptedException {
        return send(request(path, "operator:demo")
                .header("Content-Type", type)
                .POST(BodyPublishers.ofString(body))
                .build());
    }

    private HttpRequest.Builder request(String path, String user) {
        String credentials = Base64.getEncoder().encodeToString(user.getBytes(StandardCharsets.UTF_8));
        return HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                .header("Authorization", "Basic " + credentials);
    }

    private static HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    }
}
