// SPDX-License-Identifier: Apache-2.0
package com.example.console;

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
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.ActiveProfiles;

/** The rules of docs/console.md, with the user of application.yml. */
@SpringBootTest(
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {"spring.sql.init.mode=never", "delayqueue.key-prefix=console-page"})
@ActiveProfiles("brokerless")
@DelayQueueServers
class ConsolePageIntegrationTests {

    private final HttpClient browser = HttpClient.newBuilder()
            .cookieHandler(new CookieManager())
            .followRedirects(Redirect.NORMAL)
            .build();

    @LocalServerPort
    private int port;

    @Test
    void consoleWhenSignedInIsShownToAnOperator() throws Exception {
        HttpResponse<String> login = send("/delayqueue", "");
        assertThat(login.uri().getPath()).isEqualTo("/login");
        String token = login.body().replaceAll("(?s).*name=\"_csrf\"[^>]*value=\"([^\"]+)\".*", "$1");
        HttpResponse<String> page = send("/login", "username=operator&password=demo&_csrf=" + token);
        assertThat(page.uri().getPath()).startsWith("/delayqueue");
        assertThat(page.body()).contains("<span id=\"caller\">operator</span>");
    }

    @Test
    void otherAddressesWhenNobodyIsSignedInAreClosed() throws Exception {
        assertThat(send("/actuator/delayqueue", "").statusCode()).isEqualTo(401);
        assertThat(send("/elsewhere", "").statusCode()).isEqualTo(401);
    }

    private HttpResponse<String> send(String path, String form) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + path));
        if (!form.isEmpty()) {
            request.header("Content-Type", "application/x-www-form-urlencoded").POST(BodyPublishers.ofString(form));
        }
        return browser.send(request.build(), BodyHandlers.ofString());
    }
}
