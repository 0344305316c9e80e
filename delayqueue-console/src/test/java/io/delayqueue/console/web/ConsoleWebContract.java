// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.console.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.internal.console.OpenStreams;
import io.delayqueue.test.junit.DelayQueueServers;
import java.io.IOException;
import java.io.InputStream;
import java.net.CookieManager;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ConfigurableApplicationContext;

/** What Spring MVC and WebFlux have to do alike with the console's requests and answers. */
@DelayQueueServers
abstract class ConsoleWebContract {

    private static final Pattern TOKEN = Pattern.compile("name=\"(_csrf)\" value=\"([^\"]+)\"");
    private static final Instant FAR = Instant.parse("2100-01-01T00:00:00Z");

    private final HttpClient client =
            HttpClient.newBuilder().cookieHandler(new CookieManager()).build();

    @LocalServerPort
    private int port;

    @Autowired
    private DelayQueueOperations tasks;

    @Autowired
    private DelayQueueAdmin admin;

    @Autowired
    private ConfigurableApplicationContext application;

    @Autowired
    private OpenStreams streams;

    @BeforeEach
    void empty() {
        admin.resume("mails");
        admin.purge("mails", "mails");
        tasks.schedule(ScheduleRequest.to("mails")
                .id("m/1?x=a&")
                .payload("secret")
                .dueAt(FAR)
                .build());
    }

    /** The context path, with which all addresses begin here. */
    String context() {
        return "";
    }

    /** What addresses begin with where a proxy says that it has cut this off. */
    abstract String behind(String prefix);

    private HttpRequest.Builder request(String path, @Nullable String user, String... headers) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create("http://localhost:" + port + context() + "/delayqueue" + path));
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

    /** With the token of the page, unless it is given. */
    private HttpResponse<String> pause(@Nullable String token, String... headers) {
        String body = token;
        if (body == null) {
            Matcher form =
                    TOKEN.matcher(get("/queues/mails", StaffApplication.OPERATE).body());
            assertThat(form.find()).as("a token in a form").isTrue();
            body = form.group(1) + "=" + URLEncoder.encode(form.group(2), StandardCharsets.UTF_8);
        }
        return send(request("/queues/mails/pause", StaffApplication.OPERATE, headers)
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
        assertThat(page.body()).contains("mails", "href=\"" + context() + "/delayqueue/");
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
    void pageWhenTheUserMayDoNothingListsNoQueue() {
        HttpResponse<String> page = get("", StaffApplication.NONE);

        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.body()).doesNotContain("mails");
        assertThat(get("/queues/mails", StaffApplication.NONE).statusCode()).isIn(403, 404);
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
        Matcher files = Pattern.compile("(?:src|href)=\"" + context() + "/delayqueue(/assets/[^\"]+)\"")
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
    void changeWhenTheFormHasItsTokenIsMadeAndShowsAPage() {
        HttpResponse<String> answer = pause(null);

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(303);
        assertThat(URI.create(answer.headers().firstValue("Location").orElseThrow())
                        .getPath())
                .startsWith(context() + "/delayqueue/");
        assertThat(isPaused()).isTrue();
    }

    @Test
    void changeWhenTheTokenIsMissingOrForgedIsRefused() {
        assertThat(pause("x=y").statusCode()).isEqualTo(403);
        assertThat(pause("_csrf=forged").statusCode()).isEqualTo(403);
        assertThat(isPaused()).isFalse();
    }

    @Test
    void changeWhenTheUserMayOnlyReadIsRefused() {
        Matcher form = TOKEN.matcher(get("/search", StaffApplication.OPERATE).body()
                + get("/queues/mails", StaffApplication.OPERATE).body());
        assertThat(form.find()).isTrue();

        HttpResponse<String> answer = send(request("/queues/mails/pause", StaffApplication.READ)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString("_csrf=" + URLEncoder.encode(form.group(2), StandardCharsets.UTF_8))));

        assertThat(answer.statusCode()).isEqualTo(403);
        assertThat(answer.body()).contains("You may not do that");
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
    void exportWhenItHasManyPagesIsWhole() {
        tasks.scheduleAll(IntStream.range(0, 1200)
                .mapToObj(i -> ScheduleRequest.to("mails")
                        .id("many-" + i)
                        .payload("p")
                        .dueAt(FAR)
                        .build())
                .toList());

        HttpResponse<String> csv = get("/queues/mails/tasks.csv", StaffApplication.READ);

        assertThat(csv.statusCode()).isEqualTo(200);
        assertThat(csv.headers().firstValue("Content-Disposition").orElseThrow())
                .startsWith("attachment");
        assertThat(csv.body().lines().filter(line -> line.contains("many-"))).hasSize(1200);
    }

    @Test
    void exportWhenOthersWereMadeBeforeHasTheirPlace() {
        for (int i = 0; i < 6; i++) {
            assertThat(get("/queues/mails/tasks.csv", StaffApplication.READ).statusCode())
                    .isEqualTo(200);
            assertThat(send(request("/queues/mails/tasks.csv", StaffApplication.READ)
                                    .method("HEAD", BodyPublishers.noBody()))
                            .statusCode())
                    .isEqualTo(200);
        }
    }

    /** The script asks again and again then. */
    @Test
    void eventsWhenAHundredAreOpenAreRefusedToTheNextUntilOneEnds() throws Exception {
        List<Runnable> others = new ArrayList<>();
        for (int i = 0; i < 90; i++) {
            CountDownLatch ended = new CountDownLatch(1);
            others.add(streams.add(ended::countDown));
        }
        try {
            refusesOneMoreThan(10);
        } finally {
            others.forEach(Runnable::run);
        }
        await().until(() -> streams.count() == 0);
    }

    @Test
    @Tag("long")
    void eventsWhenAHundredBrowsersListenAreRefusedToTheNextUntilOneEnds() throws Exception {
        refusesOneMoreThan(100);
        await().until(() -> streams.count() == 0);
    }

    private void refusesOneMoreThan(int most) throws Exception {
        List<HttpResponse<InputStream>> open = new ArrayList<>();
        try {
            for (int i = 0; i < most; i++) {
                open.add(openEvents());
            }
            assertThat(open).extracting(HttpResponse::statusCode).containsOnly(200);
            HttpResponse<InputStream> refused = openEvents();
            assertThat(refused.statusCode()).isEqualTo(503);
            assertThat(refused.body()).isEmpty();
            open.remove(0).body().close();
            await().until(() -> {
                HttpResponse<InputStream> next = openEvents();
                open.add(next);
                return next.statusCode() == 200;
            });
        } finally {
            for (HttpResponse<InputStream> events : open) {
                events.body().close();
            }
        }
    }

    private HttpResponse<InputStream> openEvents() throws Exception {
        return client.send(
                request("/queues/mails/task?id=m%2F1%3Fx%3Da%26", StaffApplication.READ, "Accept", "text/event-stream")
                        .build(),
                BodyHandlers.ofInputStream());
    }

    @Test
    void addressesWhenAProxyHasCutAPrefixOffBeginWithIt() {
        HttpResponse<String> page = get("", StaffApplication.READ, "X-Forwarded-Prefix", "/ops");

        assertThat(page.body())
                .contains("href=\"" + behind("/ops") + "/delayqueue/")
                .doesNotContain("href=\"/delayqueue", "src=\"/delayqueue");
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

    /** Else a page that somebody has left open would hold up the end of the application for half a minute. */
    @Test
    void eventsWhenAQueueChangesTellItAndEndWhenTheApplicationStops() throws Exception {
        HttpResponse<Stream<String>> events = client.send(
                request("/", StaffApplication.READ, "Accept", "text/event-stream")
                        .build(),
                BodyHandlers.ofLines());
        List<String> lines = Collections.synchronizedList(new ArrayList<>());
        Thread reader = new Thread(() -> {
            try (Stream<String> each = events.body()) {
                each.forEach(lines::add);
            } catch (RuntimeException closed) {
                lines.add("closed");
            }
            lines.add("ended");
        });
        reader.setDaemon(true);
        reader.start();

        assertThat(events.statusCode()).isEqualTo(200);
        assertThat(events.headers().firstValue("Content-Type").orElseThrow()).startsWith("text/event-stream");
        await().until(() -> lines.stream().anyMatch(line -> line.startsWith("data:") && line.contains("mails")));
        int before = lines.size();
        admin.pause("mails");
        await().until(() -> lines.subList(before, lines.size()).stream().anyMatch(line -> line.contains("paused")));
        assertThat(lines).anyMatch(line -> line.startsWith("event:heartbeat"));
        assertThat(events.headers().allValues("X-Accel-Buffering")).containsExactly("no");

        long begin = System.nanoTime();
        application.stop();

        await().until(() -> lines.contains("ended"));
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(10));
        application.start();
    }
}
