// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.test.junit.DelayQueueServers;
import io.delayqueue.test.server.RedisServer;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.ApplicationContextAssertProvider;
import org.springframework.boot.test.context.runner.ContextConsumer;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.util.StringUtils;

/** To whom the console is open where the application says little or nothing about it. */
@DelayQueueServers
@ExtendWith({OutputCaptureExtension.class, BrowserExtension.class})
abstract class ConsoleExposureContract {

    private static final String NO_SECURITY = "org.springframework.security";
    private static final Pattern TOKEN = Pattern.compile("name=\"_token\" value=\"([^\"]+)\"");

    private final HttpClient client = HttpClient.newHttpClient();

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    /** Starts the application with a web server, gives it to its user, and stops it. */
    abstract void run(ClassLoader classes, String[] properties, ContextConsumer<? super ApplicationContext> use);

    @FunctionalInterface
    interface Use {

        void of(String console, DelayQueueAdmin admin) throws IOException, InterruptedException;
    }

    private void run(RedisServer redis, String withoutPackage, Use use, String... properties) {
        String[] common = {
            "server.port=0",
            "delayqueue.key-prefix=exposure",
            "spring.data.redis.url=" + redis.uri(),
            "delayqueue.queues.mails.shards=1",
            "spring.security.user.name=ada",
            "spring.security.user.password=ada"
        };
        run(
                new FilteredClassLoader(withoutPackage),
                StringUtils.concatenateStringArrays(common, properties),
                context -> {
                    WebServerApplicationContext server = (WebServerApplicationContext)
                            ((ApplicationContextAssertProvider<?>) context).getSourceApplicationContext();
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

        assertThat(output).contains("WARN").contains("The console at /delayqueue is open to everybody");
    }

    @Test
    void changeWithoutSecurityWhenItComesFromAnotherSiteIsRefused(RedisServer redis) {
        run(
                redis,
                NO_SECURITY,
                (console, admin) -> {
                    String own = console.substring(0, console.indexOf("/delayqueue"));
                    Matcher form = TOKEN.matcher(
                            send(request(console + "/queues/mails")).body());
                    assertThat(form.find()).isTrue();
                    String token = "_token=" + URLEncoder.encode(form.group(1), StandardCharsets.UTF_8);
                    assertThat(pause(console, token)).isEqualTo(403);
                    assertThat(pause(console, token, "Origin", "http://evil.example"))
                            .isEqualTo(403);
                    assertThat(pause(console, token, "Origin", "null")).isEqualTo(403);
                    assertThat(pause(console, token, "Origin", own, "Sec-Fetch-Site", "cross-site"))
                            .isEqualTo(403);
                    assertThat(pause(console, token, "Origin", own, "Sec-Fetch-Site", "same-site"))
                            .isEqualTo(403);
                    assertThat(pause(console, "_token=x", "Origin", own)).isEqualTo(403);
                    assertThat(pause(console, "", "Origin", own)).isEqualTo(403);
                    assertThat(admin.stats("mails").paused()).isFalse();

                    assertThat(pause(console, token, "Origin", own)).isEqualTo(303);
                    assertThat(admin.stats("mails").paused()).isTrue();
                },
                "delayqueue.console.exposed=true");
    }

    private int pause(String console, String body, String... headers) throws IOException, InterruptedException {
        HttpRequest.Builder request = request(console + "/queues/mails/pause")
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(body));
        return send(headers.length == 0 ? request : request.headers(headers)).statusCode();
    }

    /** Every customer of the application may be such a user. */
    @Test
    void consoleWithSpringSecurityAndNoRuleIsClosedToWhoHasSignedIn(RedisServer redis) {
        run(redis, "none.such", (console, admin) -> {
            String credentials = Base64.getEncoder().encodeToString("ada:ada".getBytes(StandardCharsets.UTF_8));
            HttpResponse<String> page = send(request(console).header("Authorization", "Basic " + credentials));

            assertThat(page.statusCode()).as(page.headers() + page.body()).isEqualTo(403);
            assertThat(page.body()).doesNotContain("mails");
            assertThat(send(request(console)).statusCode()).isIn(302, 401);
        });
    }
}
