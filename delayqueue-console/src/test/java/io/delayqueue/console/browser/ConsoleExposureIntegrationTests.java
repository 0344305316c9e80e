// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.console.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.config.Customizer.withDefaults;

import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.test.junit.DelayQueueServers;
import io.delayqueue.test.server.RedisServer;
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
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.boot.web.server.servlet.context.AnnotationConfigServletWebServerApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;

/** The callers with access to the console if the application configures little or nothing. */
@DelayQueueServers
@ExtendWith({OutputCaptureExtension.class, BrowserExtension.class})
class ConsoleExposureIntegrationTests {

    private static final String NO_SECURITY = "org.springframework.security";

    private final HttpClient client = HttpClient.newHttpClient();

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    @FunctionalInterface
    interface Use {

        void of(String console, DelayQueueAdmin admin) throws IOException, InterruptedException;
    }

    private void run(RedisServer redis, String withoutPackage, Use use, String... properties) {
        run(redis, withoutPackage, use, Application.class, properties);
    }

    private void run(RedisServer redis, String withoutPackage, Use use, Class<?> application, String... properties) {
        String[] common = {
            "server.port=0",
            "delayqueue.key-prefix=exposure",
            "spring.data.redis.url=" + redis.uri(),
            "delayqueue.queues.mails.shards=1",
            "spring.security.user.name=ada",
            "spring.security.user.password=ada"
        };
        new WebApplicationContextRunner(AnnotationConfigServletWebServerApplicationContext::new)
                .withUserConfiguration(application)
                .withClassLoader(new FilteredClassLoader(withoutPackage))
                .withPropertyValues(common)
                .withPropertyValues(properties)
                .run(context -> {
                    WebServerApplicationContext server =
                            (WebServerApplicationContext) context.getSourceApplicationContext();
                    DelayQueueAdmin admin = server.getBean(DelayQueueAdmin.class);
                    admin.resume("mails");
                    use.of("http://localhost:" + server.getWebServer().getPort() + "/delayqueue", admin);
                });
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(request.build(), BodyHandlers.ofString());
    }

    private static HttpRequest.Builder request(String address) {
        return HttpRequest.newBuilder(URI.create(address));
    }

    @Test
    void consoleWithoutSecurityIsClosedAndSaysSoAtStart(RedisServer redis, CapturedOutput output) {
        run(redis, NO_SECURITY, (console, admin) -> {
            assertThat(send(request(console)).statusCode()).isEqualTo(404);
            assertThat(send(request(console + "/queues/mails/pause").POST(BodyPublishers.noBody()))
                            .statusCode())
                    .isEqualTo(404);
        });

        assertThat(output).contains("WARN").contains("The console at /delayqueue is closed");
    }

    @Test
    void consoleWithoutSecurityWhenExposedIsOpenWarnsAndSetsNoCookie(
            RedisServer redis, CapturedOutput output, Browser browser) {
        run(
                redis,
                NO_SECURITY,
                (console, admin) -> {
                    browser.open(console + "/queues/mails").clickLabelled("button", "Pause");
                    browser.awaitText("paused");
                    assertThat(admin.stats("mails").paused()).isTrue();
                    assertThat(browser.cookies()).isEmpty();
                    assertThat(browser.complaints()).isEmpty();
                },
                "delayqueue.console.exposed=true");

        assertThat(output).contains("WARN").contains("The console at /delayqueue is open to anyone");
    }

    @Test
    void changeWithoutSecurityWhenItComesFromAnotherSiteIsRefused(RedisServer redis) {
        run(
                redis,
                NO_SECURITY,
                (console, admin) -> {
                    String own = console.substring(0, console.indexOf("/delayqueue"));
                    assertThat(pause(console)).isEqualTo(403);
                    assertThat(pause(console, "Origin", "http://evil.example")).isEqualTo(403);
                    assertThat(pause(console, "Origin", "null")).isEqualTo(403);
                    assertThat(pause(console, "Origin", own, "Sec-Fetch-Site", "cross-site"))
                            .isEqualTo(403);
                    assertThat(pause(console, "Origin", own, "Sec-Fetch-Site", "same-site"))
                            .isEqualTo(403);
                    assertThat(pause(console, "Sec-Fetch-Site", "none")).isEqualTo(403);
                    assertThat(admin.stats("mails").paused()).isFalse();

                    assertThat(pause(console, "Origin", own)).isEqualTo(303);
                    assertThat(admin.stats("mails").paused()).isTrue();
                },
                "delayqueue.console.exposed=true");
    }

    private int pause(String console, String... headers) throws IOException, InterruptedException {
        HttpRequest.Builder request = request(console + "/queues/mails/pause")
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.noBody());
        return send(headers.length == 0 ? request : request.headers(headers)).statusCode();
    }

    /** Every customer of the application may have signed in. */
    @Test
    void consoleWithSpringSecurityAndNoRolesIsClosedToWhoHasSignedIn(RedisServer redis, CapturedOutput output) {
        run(redis, "none.such", (console, admin) -> {
            assertThat(send(asAda(console)).statusCode()).isEqualTo(404);
            assertThat(send(request(console)).statusCode()).isIn(302, 401);
        });

        assertThat(output).containsOnlyOnce("The console at /delayqueue is closed");
    }

    @Test
    void consoleWithRolesIsOpenToThoseWhoHaveOne(RedisServer redis) {
        run(
                redis,
                "none.such",
                (console, admin) ->
                        assertThat(send(asAda(console)).body()).contains("mails", "<span id=\"caller\">ada"),
                "spring.security.user.roles=OPERATOR",
                "delayqueue.console.roles=SUPPORT,OPERATOR");
        run(
                redis,
                "none.such",
                (console, admin) -> {
                    HttpResponse<String> refused = send(asAda(console));
                    assertThat(refused.statusCode()).isEqualTo(403);
                    assertThat(refused.body())
                            .contains("delayqueue.console.roles")
                            .doesNotContain("mails");
                },
                "spring.security.user.roles=CUSTOMER",
                "delayqueue.console.exposed=true",
                "delayqueue.console.roles=SUPPORT,OPERATOR");
    }

    @Test
    void consoleWithRolesWhenNothingAsksWhoItIsIsNotThere(RedisServer redis) {
        run(
                redis,
                NO_SECURITY,
                (console, admin) ->
                        assertThat(send(request(console)).statusCode()).isEqualTo(404),
                "delayqueue.console.roles=OPERATOR");
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class PublicApplication {

        @Bean
        SecurityFilterChain everybody(HttpSecurity http) {
            return http.authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
                    .csrf(csrf -> csrf.ignoringRequestMatchers("/delayqueue/**"))
                    .httpBasic(withDefaults())
                    .build();
        }
    }

    /** As in a shop whose pages are public and which signs its staff in where it has to. */
    @Test
    void consoleWithRolesWhenTheApplicationLetsEverybodyThroughAsksWhoItIs(RedisServer redis) {
        run(
                redis,
                "none.such",
                (console, admin) -> {
                    assertThat(send(request(console)).statusCode()).isEqualTo(401);
                    assertThat(send(asAda(console)).statusCode()).isEqualTo(200);
                },
                PublicApplication.class,
                "spring.security.user.roles=OPERATOR",
                "delayqueue.console.roles=OPERATOR");
    }

    @Test
    void changeWhenTheApplicationIgnoresCsrfIsRefusedWithoutAnOrigin(RedisServer redis) {
        run(
                redis,
                "none.such",
                (console, admin) -> {
                    HttpRequest.Builder form =
                            asAda(console + "/queues/mails/pause").POST(BodyPublishers.noBody());
                    assertThat(send(form).statusCode()).isEqualTo(403);
                    assertThat(admin.stats("mails").paused()).isFalse();

                    assertThat(send(form.header("Sec-Fetch-Site", "same-origin"))
                                    .statusCode())
                            .isEqualTo(303);
                    assertThat(admin.stats("mails").paused()).isTrue();
                },
                PublicApplication.class,
                "spring.security.user.roles=OPERATOR",
                "delayqueue.console.roles=OPERATOR");
    }

    private static HttpRequest.Builder asAda(String address) {
        String credentials = Base64.getEncoder().encodeToString("ada:ada".getBytes(StandardCharsets.UTF_8));
        return request(address).header("Authorization", "Basic " + credentials);
    }
}
