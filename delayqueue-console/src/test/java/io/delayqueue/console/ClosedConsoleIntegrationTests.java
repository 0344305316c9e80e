// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.test.junit.DelayQueueServers;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
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

/** The console in an application without Spring Security. */
@SpringBootTest(
        classes = ClosedConsoleIntegrationTests.Application.class,
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {
            "delayqueue.key-prefix=closed",
            "delayqueue.queues.mails.lease=15s",
            "delayqueue.rabbit.enabled=false"
        })
@DelayQueueServers
class ClosedConsoleIntegrationTests {

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
    int port;

    HttpResponse<String> send(String path, String form, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + path));
        if (headers.length > 0) {
            request.headers(headers);
        }
        if (!form.isEmpty()) {
            request.header("Content-Type", "application/x-www-form-urlencoded").POST(BodyPublishers.ofString(form));
        }
        return client.send(request.build(), BodyHandlers.ofString());
    }

    @Test
    void consoleAnswersNothing() throws Exception {
        assertThat(send("/delayqueue", "").statusCode()).isEqualTo(404);
        assertThat(send("/delayqueue/queues/mails", "").statusCode()).isEqualTo(404);
        assertThat(send("/delayqueue/queues/mails/pause", "a=b").statusCode()).isEqualTo(404);
    }
}
