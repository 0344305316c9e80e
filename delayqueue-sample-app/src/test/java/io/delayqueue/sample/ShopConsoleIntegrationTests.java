// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.sample;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.test.junit.DelayQueueServers;
import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.ActiveProfiles;

/** The console of the shop, as scripts/run-sample announces it. */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT, properties = "shop.feed.enabled=false")
@ActiveProfiles("brokerless")
@DelayQueueServers
class ShopConsoleIntegrationTests {

    private final HttpClient browser = HttpClient.newBuilder()
            .cookieHandler(new CookieManager())
            .followRedirects(Redirect.NORMAL)
            .build();

    @LocalServerPort
    private int port;

    private HttpResponse<String> send(String path, String form) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + path));
        if (!form.isEmpty()) {
            request.header("Content-Type", "application/x-www-form-urlencoded").POST(BodyPublishers.ofString(form));
        }
        return browser.send(request.build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> logIn() throws IOException, InterruptedException {
        HttpResponse<String> login = send("/delayqueue", "");
        assertThat(login.uri().getPath()).isEqualTo("/login");
        String token = login.body().replaceAll("(?s).*name=\"_csrf\"[^>]*value=\"([^\"]+)\".*", "$1");
        return send("/login", "username=operator&password=demo&_csrf=" + token);
    }

    @Test
    void consoleAsksWhoItIsAndShowsTheQueueToTheOperator() throws Exception {
        HttpResponse<String> page = logIn();

        assertThat(page.uri().getPath()).startsWith("/delayqueue");
        assertThat(page.body()).contains(">orders</a>", "<span id=\"caller\">operator</span>");
        assertThat(send("/actuator/delayqueue", "").statusCode()).isEqualTo(200);
    }

    private HttpRequest.Builder pause(String contentType, String body) {
        return HttpRequest.newBuilder(
                        URI.create("http://localhost:" + port + "/actuator/delayqueue/queues/emails/pause"))
                .header("Content-Type", contentType)
                .POST(BodyPublishers.ofString(body));
    }

    /** The session of the console is valid for the endpoint. A page of another site can send these, but no JSON. */
    @Test
    void endpointWhenThePageOfAnotherSiteUsesTheSessionRefusesTheChange() throws Exception {
        logIn();
        for (HttpRequest.Builder forged : List.of(
                pause("text/plain", "{\"for\": \"1m\"}"), pause("application/x-www-form-urlencoded", "for=1m"))) {
            HttpResponse<String> refused = browser.send(forged.build(), BodyHandlers.ofString());
            assertThat(refused.statusCode()).as(refused.body()).isEqualTo(415);
        }
    }

    @Test
    void endpointChangesAQueueForTheOperatorAndForNobodyElse() throws Exception {
        HttpRequest.Builder pause = pause("application/json", "{\"for\": \"1m\"}");
        HttpClient noCookies = HttpClient.newHttpClient();
        assertThat(noCookies.send(pause.build(), BodyHandlers.discarding()).statusCode())
                .isEqualTo(401);

        String login = Base64.getEncoder().encodeToString("operator:demo".getBytes(StandardCharsets.UTF_8));
        HttpResponse<String> paused = noCookies.send(
                pause.setHeader("Authorization", "Basic " + login).build(), BodyHandlers.ofString());

        assertThat(paused.statusCode()).as(paused.body()).isEqualTo(200);
    }

    /** A chain for the console alone would leave everything else open, because Spring Boot then adds no chain. */
    @Test
    void shopWithoutALoginShowsItsOrdersAndNothingElse() throws Exception {
        assertThat(send("/orders", "").statusCode()).isEqualTo(200);
        assertThat(send("/actuator/health", "").statusCode()).isEqualTo(200);
        for (String path : List.of("/actuator/delayqueue", "/actuator", "/elsewhere")) {
            assertThat(send(path, "").statusCode()).as(path).isEqualTo(401);
        }
    }
}
