// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.console.web;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.test.junit.DelayQueueServers;
import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/**
 * The console over HTTP, behind a context path and Spring Security. The application handles all exceptions of MVC
 * itself, and sees none of the console's.
 */
@SpringBootTest(
        classes = {StaffApplication.class, ConsoleWebIntegrationTests.CatchAll.class},
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {
            "delayqueue.key-prefix=servlet",
            "delayqueue.queues.orders.retry.max-retries=0",
            "delayqueue.queues.mails.shards=2",
            "delayqueue.console.exposed=true",
            "server.forward-headers-strategy=framework",
            "server.servlet.context-path=/shop"
        })
@DelayQueueServers
class ConsoleWebIntegrationTests {

    private static final String CONSOLE = "/shop/delayqueue";

    private static final Pattern TOKEN = Pattern.compile("name=\"(_csrf)\" value=\"([^\"]+)\"");
    private static final String[] SAME_ORIGIN = {"Sec-Fetch-Site", "same-origin"};
    private static final Instant FAR = Instant.parse("2100-01-01T00:00:00Z");

    private final HttpClient client =
            HttpClient.newBuilder().cookieHandler(new CookieManager()).build();

    @LocalServerPort
    private int port;

    @Autowired
    private DelayQueueOperations tasks;

    @Autowired
    private DelayQueueAdmin admin;

    @BeforeEach
    void empty() {
        admin.resume("mails");
        admin.purge("mails", "mails");
        tasks.schedule(requestTo("mails", "m/1?x=a&", "secret", FAR));
    }

    private HttpRequest.Builder request(String path, @Nullable String user, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + CONSOLE + path));
        if (user != null) {
            request.header("Authorization", basic(user));
        }
        return headers.length == 0 ? request : request.headers(headers);
    }

    private static String basic(String user) {
        byte[] credentials = (user + ":" + user).getBytes(StandardCharsets.UTF_8);
        return "Basic " + Base64.getEncoder().encodeToString(credentials);
    }

    private HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return client.send(request.build(), BodyHandlers.ofString());
        } catch (IOException | InterruptedException ex) {
            throw new AssertionError(ex);
        }
    }

    HttpResponse<String> get(String path, @Nullable String user, String... headers) {
        return send(request(path, user, headers));
    }

    /** Pauses the queue, with the token of the page unless one is given. */
    private HttpResponse<String> pause(@Nullable String token, String... headers) {
        String body = token;
        if (body == null) {
            Matcher form =
                    TOKEN.matcher(get("/queues/mails", StaffApplication.OPERATE).body());
            assertThat(form.find()).as("a token in a form").isTrue();
            body = form.group(1) + "=" + URLEncoder.encode(form.group(2), StandardCharsets.UTF_8);
        }
        String[] all = headers.length == 0 ? SAME_ORIGIN : headers;
        return send(request("/queues/mails/pause", StaffApplication.OPERATE, all)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(body)));
    }

    private boolean isPaused() {
        return admin.stats("mails").paused();
    }

    @Test
    void pageWhenTheUserMayReadHasTheHeadersOfAPage() {
        HttpResponse<String> page = get("", StaffApplication.READ);

        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.body()).contains("mails", "href=\"" + CONSOLE + "/");
        assertThat(page.headers().firstValue("Content-Type")).hasValue("text/html;charset=UTF-8");
        assertThat(page.headers().allValues("Cache-Control")).containsExactly("no-store");
        assertThat(page.headers().allValues("X-Frame-Options")).containsExactly("DENY");
        assertThat(page.headers().allValues("X-Content-Type-Options")).containsExactly("nosniff");
        assertThat(page.headers().allValues("Content-Security-Policy"))
                .singleElement()
                .asString()
                .contains("default-src 'none'")
                .doesNotContain("unsafe");
    }

    @Test
    void pageWhenAskedForItsHeadHasNoBody() {
        HttpResponse<String> head =
                send(request("", StaffApplication.READ).method("HEAD", HttpRequest.BodyPublishers.noBody()));

        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(head.body()).isEmpty();
    }

    @Test
    void pageWhenTheUserIsUnknownOrHasNoSuchRoleIsRefused() {
        assertThat(get("", StaffApplication.CUSTOMER).statusCode()).isEqualTo(403);
        HttpResponse<String> unknown = get("", null, "Accept", "text/html");
        assertThat(unknown.statusCode()).isIn(302, 401);
        assertThat(unknown.body()).doesNotContain("mails");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/nowhere", "/queues", "/queues/none", "/assets/0/none", "/assets/0/..%2f..%2fframe.mustache"})
    void pageWhenThereIsNoneIsNotFound(String path) {
        assertThat(get(path, StaffApplication.READ).statusCode()).isIn(400, 404);
    }

    @Test
    void fileWhenAPageNamesItIsThere() {
        String page = get("", StaffApplication.READ).body();
        Matcher files = Pattern.compile("(?:src|href)=\"" + CONSOLE + "(/assets/[^\"]+)\"")
                .matcher(page);

        List<String> types = new ArrayList<>();
        while (files.find()) {
            HttpResponse<String> file = get(files.group(1), StaffApplication.READ);
            assertThat(file.statusCode()).isEqualTo(200);
            assertThat(file.headers().firstValue("Cache-Control").orElseThrow()).contains("immutable");
            types.add(file.headers().firstValue("Content-Type").orElseThrow());
        }
        assertThat(types).contains("text/css;charset=UTF-8", "text/javascript;charset=UTF-8", "image/svg+xml");
    }

    @Test
    void changeWhenTheTokenIsMissingOrForgedIsRefused() {
        assertThat(pause("x=y").statusCode()).isEqualTo(403);
        assertThat(pause("_csrf=forged").statusCode()).isEqualTo(403);
        assertThat(isPaused()).isFalse();
    }

    /** As browsers send it over plain HTTP, where they do not say {@code Sec-Fetch-Site}. */
    @Test
    void changeWhenAProxyHasForwardedItIsFromTheHostThatTheBrowserAskedFor() {
        assertThat(pause(null, "Origin", "http://evil.example", "X-Forwarded-Host", "queues.internal")
                        .statusCode())
                .isEqualTo(403);
        assertThat(pause(null, "Origin", "http://queues.internal").statusCode()).isEqualTo(403);
        assertThat(isPaused()).isFalse();

        assertThat(pause(null, "Origin", "http://queues.internal", "X-Forwarded-Host", "queues.internal:80")
                        .statusCode())
                .isEqualTo(303);
        assertThat(isPaused()).isTrue();
    }

    @Test
    void pageWhenWhatIsAcceptedCannotBeReadIsAPage() {
        assertThat(get("", StaffApplication.READ, "Accept", "x").statusCode()).isEqualTo(200);
    }

    /** A script that fetches files by its password and keeps no cookies would else leave a session for each. */
    @Test
    void fileWhenFetchedBeginsNoSession() throws Exception {
        HttpClient forgetful = HttpClient.newHttpClient();
        for (String path : List.of("/assets/0/console.css", "/queues/mails/tasks.csv")) {
            HttpResponse<String> file =
                    forgetful.send(request(path, StaffApplication.READ).build(), BodyHandlers.ofString());

            assertThat(file.statusCode()).as(path).isEqualTo(200);
            assertThat(file.headers().allValues("Set-Cookie")).as(path).isEmpty();
        }
    }

    @Test
    void addressesWhenTheForwardedPrefixIsHostileStayOnThisHost() {
        for (String prefix : List.of("//evil.example", "/\"><script>x</script>", "///evil.example")) {
            HttpResponse<String> page = get("", StaffApplication.READ, "X-Forwarded-Prefix", prefix);

            // Spring refuses most of them itself.
            assertThat(page.statusCode()).as(prefix).isIn(200, 400);
            if (page.statusCode() == 200) {
                assertThat(page.body()).as(prefix).contains("/delayqueue/operations\"");
            }
            assertThat(page.body()).as(prefix).doesNotContain("=\"//evil", "<script>x");
        }
    }

    /** The browser renews the page with the cookie that it has. */
    @Test
    void renewalWhenTheUserHasSignedOutShowsNothing() throws Exception {
        HttpClient browser = HttpClient.newBuilder()
                .cookieHandler(new CookieManager())
                .followRedirects(HttpClient.Redirect.NORMAL)
                .build();
        String root = "http://localhost:" + port + "/shop";
        String login = "username=read&password=read&_csrf=" + token(browser, root + "/login");
        postForm(browser, root + "/login", login);
        HttpRequest renewal = HttpRequest.newBuilder(URI.create(root + "/delayqueue/queues/mails?renewal=true"))
                .build();
        assertThat(browser.send(renewal, BodyHandlers.ofString()).body()).contains("data-live=\"queue-figures\"");

        postForm(browser, root + "/logout", "_csrf=" + token(browser, root + "/logout"));

        assertThat(browser.send(renewal, BodyHandlers.ofString()).body()).doesNotContain("Queues / mails", "data-live");
    }

    private static String token(HttpClient browser, String page) throws Exception {
        String body = browser.send(HttpRequest.newBuilder(URI.create(page)).build(), BodyHandlers.ofString())
                .body();
        Matcher field =
                Pattern.compile("name=\"_csrf\"[^>]* value=\"([^\"]+)\"").matcher(body);
        assertThat(field.find()).as(body).isTrue();
        return URLEncoder.encode(field.group(1), StandardCharsets.UTF_8);
    }

    private static void postForm(HttpClient browser, String address, String form) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(address))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(form))
                .build();
        browser.send(request, BodyHandlers.discarding());
    }

    @RestControllerAdvice
    static class CatchAll {

        @ExceptionHandler(Exception.class)
        ResponseEntity<String> handle(Exception ex) {
            return ResponseEntity.status(418).body("caught");
        }
    }
}
