// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.test.junit.DelayQueueServers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.security.autoconfigure.SecurityAutoConfiguration;
import org.springframework.boot.security.autoconfigure.actuate.web.servlet.ManagementWebSecurityAutoConfiguration;
import org.springframework.boot.security.autoconfigure.web.servlet.SecurityFilterAutoConfiguration;
import org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Configuration;

/** The console in an application without Spring Security, exposed at another path. */
@SpringBootTest(
        classes = ExposedConsoleIntegrationTests.Application.class,
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {
            "delayqueue.key-prefix=exposed",
            "delayqueue.queues.mails.lease=15s",
            "delayqueue.rabbit.enabled=false",
            "delayqueue.console.path=/internal/queues",
            "delayqueue.console.exposed=true",
            "delayqueue.console.hosts=queues.internal",
            "server.forward-headers-strategy=framework"
        })
@DelayQueueServers
class ExposedConsoleIntegrationTests {

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(
            exclude = {
                SecurityAutoConfiguration.class,
                ServletWebSecurityAutoConfiguration.class,
                SecurityFilterAutoConfiguration.class,
                ManagementWebSecurityAutoConfiguration.class
            })
    static class Application {}

    private final HttpClient client = HttpClient.newHttpClient();

    @LocalServerPort
    private int port;

    private HttpResponse<String> send(String path, String form, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + path));
        if (headers.length > 0) {
            request.headers(headers);
        }
        if (!form.isEmpty()) {
            request.header("Content-Type", "application/x-www-form-urlencoded").POST(BodyPublishers.ofString(form));
        }
        return client.send(request.build(), BodyHandlers.ofString());
    }

    /**
     * The page of a site whose name leads to this application has the same origin, and sends what the browser cannot
     * tell apart.
     */
    @Test
    void consoleWhenAskedForByAnotherSitesNameIsClosed() throws Exception {
        for (String head : List.of(
                "Host: evil.example",
                "Host: evil.example:" + port,
                "Host: localhost:" + port + "\r\nX-Forwarded-Host: evil.example",
                "Host: evil.example\r\nX-Forwarded-Host: localhost")) {
            assertThat(raw("GET /internal/queues/queues/mails HTTP/1.1\r\n" + head + "\r\nConnection: close\r\n\r\n"))
                    .as(head)
                    .startsWith("HTTP/1.1 403")
                    .doesNotContain("Pause");
        }
        assertThat(
                        raw(
                                "GET /internal/queues/queues/mails HTTP/1.1\r\nHost: queues.internal\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 200");
    }

    /** Clients of the platform do not send another host than they connect to. */
    private String raw(String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
