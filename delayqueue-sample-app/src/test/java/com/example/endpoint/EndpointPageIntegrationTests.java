// SPDX-License-Identifier: Apache-2.0
package com.example.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.test.junit.DelayQueueServers;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
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
            "delayqueue.queues.billing.lease=15s"
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

    private HttpResponse<String> get(String path, String user) throws IOException, InterruptedException {
        String credentials = Base64.getEncoder().encodeToString(user.getBytes(StandardCharsets.UTF_8));
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                                .header("Authorization", "Basic " + credentials)
                                .build(),
                        BodyHandlers.ofString());
    }
}
