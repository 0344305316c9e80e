// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.control.QueueAccessResolver;
import io.delayqueue.control.QueuePermission;
import io.delayqueue.test.junit.DelayQueueServers;
import io.delayqueue.test.server.RedisServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.boot.web.server.reactive.context.AnnotationConfigReactiveWebServerApplicationContext;
import org.springframework.boot.web.server.servlet.context.AnnotationConfigServletWebServerApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.web.server.SecurityWebFilterChain;

/**
 * The endpoint without authentication. If the name of a foreign site resolves to the application, its pages have the
 * same origin as the endpoint, but they cannot choose the host name that the browser requests.
 */
@DelayQueueServers
@ExtendWith(OutputCaptureExtension.class)
class EndpointHostsIntegrationTests {

    private static final FilteredClassLoader WITHOUT_SECURITY = new FilteredClassLoader("org.springframework.security");

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    private static String[] properties(RedisServer redis) {
        return new String[] {
            "server.port=0",
            "delayqueue.key-prefix=hosts",
            "spring.data.redis.url=" + redis.uri(),
            "delayqueue.queues.mails.shards=1",
            "management.endpoints.web.exposure.include=health,delayqueue",
            "management.endpoint.delayqueue.hosts=queues.internal"
        };
    }

    @Test
    void servletEndpointAnswersUnderNamesThatAreNobodyElses(RedisServer redis, CapturedOutput output) {
        new WebApplicationContextRunner(AnnotationConfigServletWebServerApplicationContext::new)
                .withUserConfiguration(Application.class)
                .withClassLoader(WITHOUT_SECURITY)
                .withPropertyValues(properties(redis))
                .run(context -> assertHosts((WebServerApplicationContext) context.getSourceApplicationContext()));

        assertThat(output).contains("WARN").contains("can use the endpoint 'delayqueue'");
    }

    @Test
    void reactiveEndpointAnswersUnderNamesThatAreNobodyElses(RedisServer redis, CapturedOutput output) {
        new ReactiveWebApplicationContextRunner(AnnotationConfigReactiveWebServerApplicationContext::new)
                .withUserConfiguration(Application.class)
                .withClassLoader(WITHOUT_SECURITY)
                .withPropertyValues(properties(redis))
                .run(context -> assertHosts((WebServerApplicationContext) context.getSourceApplicationContext()));

        assertThat(output).contains("WARN").contains("can use the endpoint 'delayqueue'");
    }

    /** With {@code anonymous()}, Spring Security gives such a caller a principal in WebFlux, but not in Spring MVC. */
    @Configuration(proxyBeanMethods = false)
    static class AnonymousCallers {

        @Bean
        SecurityWebFilterChain open(ServerHttpSecurity http) {
            return http.authorizeExchange(requests -> requests.anyExchange().permitAll())
                    .anonymous(Customizer.withDefaults())
                    .build();
        }

        @Bean
        QueueAccessResolver access() {
            return (caller, queue) -> caller.principal() == null ? Set.of(QueuePermission.READ) : Set.of();
        }
    }

    @Test
    void reactiveEndpointWhenTheCallerIsAnAnonymousPrincipalTreatsItAsUnknown(RedisServer redis) {
        new ReactiveWebApplicationContextRunner(AnnotationConfigReactiveWebServerApplicationContext::new)
                .withUserConfiguration(Application.class, AnonymousCallers.class)
                .withPropertyValues(properties(redis))
                .run(context -> {
                    WebServerApplicationContext application =
                            (WebServerApplicationContext) context.getSourceApplicationContext();
                    assertHosts(application);
                    int port = application.getWebServer().getPort();
                    assertThat(get(port, "/actuator/delayqueue/queues/mails", "localhost"))
                            .startsWith("HTTP/1.1 200");
                });
    }

    private static void assertHosts(WebServerApplicationContext application) throws IOException {
        int port = application.getWebServer().getPort();
        for (String host : new String[] {"localhost:" + port, "127.0.0.1", "queues.internal", "[::1]:" + port}) {
            assertThat(get(port, "/actuator/delayqueue", host)).as(host).startsWith("HTTP/1.1 200");
        }
        for (String path :
                new String[] {"/actuator/delayqueue", "/actuator/%64elayqueue", "/actuator/delayqueue/queues/mails"}) {
            assertThat(get(port, path, "evil.example:" + port))
                    .as(path)
                    .startsWith("HTTP/1.1 403")
                    .doesNotContain("shards");
        }
        assertThat(get(port, "/actuator/health", "evil.example")).doesNotStartWith("HTTP/1.1 403");
    }

    /** Clients of the platform send no other host than they connect to. */
    private static String get(int port, String path, String host) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            String request = "GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
