// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;
import static org.awaitility.Awaitility.await;

import io.delayqueue.BadInput;
import io.delayqueue.BadInput.Case;
import io.delayqueue.DeliveryWindow;
import io.delayqueue.LogLines;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.TaskIds;
import io.delayqueue.admin.KeyLimits;
import io.delayqueue.console.PastHours;
import io.delayqueue.test.server.RedisServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.actuate.audit.AuditEvent;
import org.springframework.boot.actuate.audit.AuditEventRepository;
import org.springframework.test.context.TestPropertySource;
import tools.jackson.databind.JsonNode;

/** The endpoint's responses to callers with and without permission, and to invalid input. */
@TestPropertySource(properties = "management.endpoint.delayqueue.access=unrestricted")
class DelayQueueEndpointIntegrationTests extends EndpointScene {

    @Autowired
    private AuditEventRepository audit;

    @Test
    void queuesWhenReadHaveTheirCounts() {
        schedule("mails", "m", FAR);

        Answer all = get("");
        assertStatus(all, 200);
        assertThat(all.json().get("queues").values())
                .extracting(queue -> queue.get("queue").asString())
                .contains("orders", "mails");
        JsonNode mails = get("/queues/mails").json().get("queue");
        assertThat(mails.get("delayed").asInt()).isEqualTo(1);
        assertThat(mails.get("nextAttentionAt").asString()).isEqualTo(FAR.toString());
        assertThat(mails.get("paused").asBoolean()).isFalse();
        assertThat(get("/queues").json()).isEqualTo(get("").json());
    }

    @Test
    void tasksWhenTurnedShowEachOnce() {
        for (int i = 0; i < 12; i++) {
            schedule("mails", (i % 2 == 0 ? "even-" : "odd-") + i, FAR.plusSeconds(i));
        }
        List<String> ids = new ArrayList<>();
        String after = "";
        while (after != null) {
            Answer page = get("/queues/mails/tasks?size=4&idPrefix=even-&header=tenant%3Dacme&from=" + FAR + after);
            assertStatus(page, 200);
            page.json()
                    .get("tasks")
                    .values()
                    .forEach(task -> ids.add(task.get("id").asString()));
            JsonNode next = page.json().get("next");
            after = next == null ? null : "&after=" + next.asString();
        }
        assertThat(ids).containsExactly("even-0", "even-2", "even-4", "even-6", "even-8", "even-10");
    }

    @Test
    void taskWhenItsRequestSaidMoreOfItsTimeHasItsGroupAndTiming() {
        tasks.schedule(ScheduleRequest.to("mails")
                .group("order:42")
                .id("reminder")
                .payload("p")
                .dueAt(LocalDateTime.of(2099, 3, 28, 9, 30), ZoneId.of("Europe/Berlin"))
                .within(DeliveryWindow.between(LocalTime.of(9, 0), LocalTime.of(21, 0))
                        .inZone(ZoneId.of("Europe/Berlin")))
                .expiresAfter(Duration.ofMinutes(90))
                .build());

        JsonNode task = get("/queues/mails/task?id=" + encoded("{order:42}~reminder"))
                .json()
                .get("task");

        assertThat(task.get("group").asString()).isEqualTo("order:42");
        JsonNode timing = task.get("timing");
        assertThat(timing.get("expiresAfter").asString()).isEqualTo("PT1H30M");
        assertThat(timing.get("expiresAt").asString()).isEqualTo("2099-03-28T10:00:00Z");
        assertThat(timing.get("window").asString()).isEqualTo("09:00-21:00 Europe/Berlin");
        assertThat(timing.get("localTime").asString()).isEqualTo("2099-03-28T09:30[Europe/Berlin]");
        schedule("mails", "plain", FAR);
        JsonNode plain = get("/queues/mails/task?id=plain").json().get("task");
        assertThat(plain.get("group")).isNull();
        assertThat(plain.get("timing")).isNull();
    }

    @Test
    void ratesWhenReadArePerMinuteForADayAndPerHourForLonger(RedisServer redis) {
        try (PastHours past = new PastHours(redis, "dq", "mails")) {
            past.minute(0, "delivered=7,failed=2,14=7");
            past.hours(30, "delivered=600,dead=1");
        }
        for (String from : List.of("", "?from=-24h")) {
            JsonNode minutes = get("/queues/mails/rates" + from).json().get("rates");
            assertThat(minutes.get("step").asString()).isEqualTo("PT1M");
            assertThat(minutes.get("periods").size()).isEqualTo(1);
            assertThat(minutes.at("/periods/0/delivered").asLong()).isEqualTo(7);
            assertThat(minutes.at("/periods/0/from").asString()).endsWith(":00Z");
        }
        JsonNode hours = get("/queues/mails/rates?from=-7d").json().get("rates");
        assertThat(hours.get("step").asString()).isEqualTo("PT1H");
        assertThat(hours.get("periods").size()).isEqualTo(2);
        assertThat(hours.at("/total/delivered").asLong()).isEqualTo(1200);
        assertThat(hours.at("/total/dead").asLong()).isEqualTo(2);
        assertStatus(get("/queues/mails/rates?from=-90d"), 200);
    }

    @Test
    void histogramWhenReadCountsByDueTimes() {
        schedule("mails", "a", FAR);
        schedule("mails", "b", FAR.plusSeconds(60));
        schedule("mails", "c", FAR.plusSeconds(119));

        JsonNode counts = get("/queues/mails/histogram?width=1m&slices=3&from=" + FAR)
                .json()
                .get("histogram");
        assertThat(counts.get("counts").values()).extracting(JsonNode::asInt).containsExactly(1, 2, 0);
        assertThat(counts.get("from").asString()).isEqualTo(FAR.toString());
    }

    @Test
    void taskWhenDeadSaysWhenAndWhyItsAttemptsHaveFailed() {
        makeDead("tried");

        JsonNode task = get("/queues/orders/task?id=tried").json().get("task");

        assertThat(task.get("failedAttempts").size()).isEqualTo(1);
        JsonNode attempt = task.get("failedAttempts").get(0);
        assertThat(attempt.get("reason").asString())
                .isEqualTo(task.get("lastReason").asString())
                .isNotEmpty();
        assertThat(Instant.parse(attempt.get("at").asString()))
                .isBetween(Instant.now().minusSeconds(60), Instant.now().plusSeconds(5));
        assertThat(task.get("holder")).isNull();
    }

    @Test
    void historyWhenReadSaysWhatBecameOfATaskThatIsGone() {
        makeDead("of-note");
        assertStatus(post("/queues/orders/discard", Map.of("id", "of-note")), 200);

        JsonNode history = get("/queues/orders/history?id=of-note").json().get("history");

        assertThat(history.values())
                .extracting(entry -> entry.get("event").asString())
                .containsExactly("dead", "discarded");
        assertThat(history.get(0).get("reason").asString()).isNotEmpty();
        assertThat(history.get(0).get("process").asString())
                .startsWith(ProcessHandle.current().pid() + "@");
        assertThat(history.get(1).get("reason")).isNull();
        assertThat(get("/queues/orders/history?id=never-there")
                        .json()
                        .get("history")
                        .size())
                .isZero();
        assertStatus(get("/queues/orders/history"), 400);
        assertStatus(get("/queues/unknown/history?id=a"), 404);
    }

    @Test
    void eraseWhenMadeForAKeyReportsWhatItDeletedAndWhatRemains() {
        String dead = TaskIds.of("person", null, "dead");
        String scheduled = TaskIds.of("person", null, "scheduled");
        makeDead(dead);
        schedule("orders", scheduled, FAR);
        schedule("orders", "other", FAR);

        Answer counting = post("/queues/orders/erase", Map.of("key", "person"));
        assertStatus(counting, 202);
        String count = counting.json().at("/operation/handle").asString();
        assertThat(ended(count).get("matched").asInt()).isEqualTo(2);
        assertThat(tasks.find("orders", scheduled)).isPresent();

        Answer started = post("/queues/orders/erase", Map.of("key", "person", "dryRun", false));
        assertStatus(started, 202);
        JsonNode done = ended(started.json().at("/operation/handle").asString());

        assertThat(done.get("status").asString()).as(done.toString()).isEqualTo("DONE");
        assertThat(done.get("done").asInt()).isEqualTo(2);
        JsonNode erased = done.get("erased");
        assertThat(erased.get("inProgress").asInt()).isZero();
        assertThat(erased.get("historyEntries").asInt())
                .as("dead, discarded, cancelled")
                .isEqualTo(3);
        assertThat(erased.get("outboxRows").asInt()).isZero();
        assertThat(erased.get("remains").toString()).contains("audit", "backups", "broker", "logs");
        assertThat(tasks.find("orders", dead)).isEmpty();
        assertThat(tasks.find("orders", "other")).isPresent();
        assertThat(get("/queues/orders/history?id=" + encoded(dead))
                        .json()
                        .get("history")
                        .size())
                .isZero();
        assertThat(get("/audit?queue=orders").json().at("/audit/0/action").asString())
                .isEqualTo("operation-erase");
        assertStatus(post("/queues/orders/erase", Map.of("id", dead)), 400);
        assertStatus(post("/queues/orders/erase", Map.of("dryRun", false)), 400);
        Answer refused = post("/queues/orders/erase", Map.of("key", "person", "reason", "503"));
        assertStatus(refused, 400);
        assertThat(refused.body()).contains("'reason'");
    }

    @Test
    void keyWhenItIsLimitedClosedAndOpenedShowsEach() {
        assertStatus(
                post("/queues/mails/limit-key", Map.of("key", "a/b", "rate", "20/s burst 4", "concurrency", "3")), 200);
        assertStatus(post("/queues/mails/close-key", Map.of("key", "a/b", "until", "2999-01-01T00:00:00Z")), 200);
        assertStatus(post("/queues/mails/close-key", Map.of("key", "a/b", "until", "-1m")), 400);

        JsonNode key = get("/queues/mails/key?key=" + encoded("a/b")).json().get("key");
        assertThat(key.get("interval").asString()).isEqualTo("PT0.05S");
        assertThat(key.get("burst").asInt()).isEqualTo(4);
        assertThat(key.get("concurrency").asInt()).isEqualTo(3);
        assertThat(key.get("closedUntil").asString()).startsWith("2999-01-01T00:00:00");

        assertStatus(post("/queues/mails/open-key", Map.of("key", "a/b")), 200);
        assertStatus(post("/queues/mails/limit-key", Map.of("key", "a/b")), 200);
        JsonNode open = get("/queues/mails/key?key=" + encoded("a/b")).json().get("key");
        assertThat(open.toString()).doesNotContain("PT", "2999");
        assertThat(admin.keyLimits("mails", "a/b")).isEqualTo(KeyLimits.NONE);
    }

    @Test
    void keysWhenAKeyIsClosedAreThoseWithHeldBackTasksAndSayUntilWhen() {
        admin.closeKey("orders", "late", Instant.parse("2999-01-01T00:00:00Z"));
        for (String id : List.of("a", "b")) {
            schedule("orders", TaskIds.of("late", null, id), Instant.now());
        }
        await().until(() -> admin.stats("orders").heldBack() == 2);

        JsonNode key = get("/queues/orders/keys").json().get("keys").get(0);
        assertThat(key.get("key").asString()).isEqualTo("late");
        assertThat(key.get("waiting").asInt()).isEqualTo(2);
        assertThat(key.get("nextTurn").asString()).startsWith("2999-01-01T00:00:00");
        assertThat(get("/queues/orders/key?key=late").json().get("key")).isEqualTo(key);
        assertThat(get("/queues/orders/key?key=other")
                        .json()
                        .get("key")
                        .get("waiting")
                        .asInt())
                .isZero();
        admin.openKey("orders", "late");
    }

    static Stream<Case<String>> oddIds() {
        return BadInput.oddIds();
    }

    @ParameterizedTest
    @MethodSource("oddIds")
    void taskWhenItsIdIsOddIsFoundAndChangedByThatId(Case<String> odd) {
        String id = odd.input();
        schedule("mails", id, FAR);

        Answer found = get("/tasks?id=" + encoded(id));
        assertStatus(found, 200);
        assertThat(found.json().get("tasks").get(0).get("id").asString()).isEqualTo(id);
        assertStatus(get("/queues/mails/task?id=" + encoded(id)), 200);
        Answer cancelled = post("/queues/mails/cancel", Map.of("id", id));
        assertStatus(cancelled, 200);
        assertThat(cancelled.json().get("change").get("outcome").asString()).isEqualTo("CANCELLED");
        assertThat(cancelled.json().get("change").get("id").asString()).isEqualTo(id);
        assertStatus(get("/queues/mails/task?id=" + encoded(id)), 404);
        assertStatus(post("/queues/mails/cancel", Map.of("id", id)), 404);
    }

    static Stream<Case<String>> badIds() {
        return BadInput.ids();
    }

    @ParameterizedTest
    @MethodSource("badIds")
    void taskWhenItsIdCannotBeOneIsRefused(Case<String> id) {
        try (LogLines log = new LogLines()) {
            String inUrl = encoded(id.input());
            if (URLDecoder.decode(inUrl, StandardCharsets.UTF_8).equals(id.input())) {
                assertThat(get("/tasks?id=" + inUrl).status()).isEqualTo(400);
                assertThat(get("/queues/mails/task?id=" + inUrl).status()).isEqualTo(400);
            }
            Answer answer = call("POST", "/queues/mails/cancel", "{\"id\":" + quoted(id.input()) + "}", null);
            assertStatus(answer, 400);
            log.assertUnforged();
        }
    }

    private static String quoted(String text) {
        StringBuilder out = new StringBuilder("\"");
        text.chars().forEach(c -> out.append("\\u%04x".formatted(c)));
        return out.append('"').toString();
    }

    static Stream<Case<String>> badQueues() {
        return BadInput.queueNames().filter(name -> name.input().length() < 1000);
    }

    @ParameterizedTest
    @MethodSource("badQueues")
    void queueWhenItsNameCannotBeOneIsRefused(Case<String> name) {
        String path = encoded(name.input()).replace("+", "%20");
        assertThat(get("/queues/" + path).status()).isIn(200, 400, 404);
        assertThat(get("/queues/" + path + "/tasks").status()).isBetween(400, 499);
        assertThat(post("/queues/" + path + "/pause", Map.of()).status()).isBetween(400, 499);
        assertThat(admin.isPaused("orders")).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "tasks?size=x, size",
        "tasks?size=0, 500",
        "tasks?size=501, 500",
        "tasks?state=zombie, state",
        "tasks?from=someday, from",
        "tasks?until=99999999999999999999d, until",
        "tasks?header=tenant, header",
        "tasks?after=invented, position",
        "histogram?width=0s, slices",
        "histogram?width=x, width",
        "histogram?slices=501, slices",
        "rates?from=x, from",
        "rates?until=x, until",
        "rates?from=-91d&until=0s, from",
        "rates?from=-1h&until=30h, from",
        "tasks?from=2h&until=1h, from",
        "rates?from=1h&until=0s, from",
        "rates?from=-999999999-01-01T00:00:00Z&until=-999999999-01-01T01:00:00Z, from",
        "histogram?from=-999999999-01-01T00:00:00Z, slices",
        "task, id"
    })
    void readWhenAParameterMakesNoSenseIsRefusedWithItsName(String path, String named) {
        Answer answer = get("/queues/mails/" + path);
        assertStatus(answer, 400);
        assertThat(answer.json().get("error").asString()).contains(named);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "reshard | {} | shards",
                "reshard | {\"shards\": \"x\"} | shards",
                "reshard | {\"shards\": 0} | ",
                "reschedule | {\"id\": \"a\"} | to",
                "reschedule | {\"id\": \"a\", \"to\": \"soon\"} | to",
                "reschedule | {\"id\": \"a\", \"to\": \"+20000-01-01T00:00:00Z\"} | ",
                "reschedule | {\"idPrefix\": \"a\"} | to",
                "deliver | {\"idPrefix\": \"a\", \"perSecond\": 0} | second",
                "cancel | {\"idPrefix\": \"a\", \"perSecond\": 10} | perSecond",
                "cancel | {\"idPrefix\": \"a\", \"dryRun\": \"maybe\"} | dryRun",
                "cancel | {} | all",
                "cancel | {\"all\": true, \"idPrefix\": \"b\"} | all",
                "cancel | {\"id\": \"a\", \"dryRun\": true} | dryRun",
                "cancel | {\"id\": \"a\", \"idPrefix\": \"b\"} | idPrefix",
                "cancel | {\"id\": \"a\", \"all\": true} | all",
                "cancel | {\"id\": \"a\", \"to\": \"90m\"} | to",
                "reschedule | {\"id\": \"a\", \"to\": \"90m\", \"dryRun\": true} | dryRun",
                "cancel | {\"all\": true, \"shards\": 2} | shards",
                "pause | {\"id\": \"a\"} | id",
                "pause | {\"for\": \"10\"} | for",
                "pause | {\"for\": \"-1m\"} | longer",
                "resume | {\"id\": \"a\"} | id",
                "reshard | {\"shards\": 2, \"id\": \"a\"} | id",
                "cancel | {\"idPrefix\": \"\", \"all\": true, \"dryRun\": false} | idPrefix",
                "cancel | {\"all\": true, \"dryrun\": false} | dryrun",
                "cancel | {\"exactReason\": \"a\", \"reason\": \"b\"} | exactReason",
                "purge | {\"confirm\": \"mails\", \"id\": \"a\"} | id",
                "close-key | {\"until\": \"90m\"} | key",
                "close-key | {\"key\": \"a\", \"until\": \"2020-01-01T00:00:00Z\"} | future",
                "limit-key | {\"key\": \"a\", \"rate\": \"5\"} | rate",
                "open-key | {\"key\": \"a\", \"id\": \"b\"} | id",
                "reschedule | {\"id\": \"a\", \"to\": \"90m\", \"by\": \"1h\"} | by",
                "reschedule | {\"id\": \"a\", \"by\": \"soon\"} | by",
                "reschedule | {\"id\": \"a\", \"by\": \"99999999999999d\"} | by",
                "reschedule | {\"idPrefix\": \"a\", \"to\": \"90m\"} | over",
                "reschedule | {\"idPrefix\": \"a\", \"to\": \"90m\", \"over\": \"1\"} | over",
                "reschedule | {\"idPrefix\": \"a\", \"to\": \"90m\", \"by\": \"1h\"} | by",
                "reschedule | {\"idPrefix\": \"a\", \"over\": \"90m\", \"by\": \"1h\"} | over",
                "reschedule | {\"idPrefix\": \"a\", \"by\": \"0s\"} | second",
                "cancel | {\"idPrefix\": \"a\", \"by\": \"1h\"} | by",
                "explode | {\"id\": \"a\"} | cancel, reschedule"
            })
    void changeWhenAParameterMakesNoSenseIsRefused(String action, String body, String named) {
        schedule("mails", "a", FAR);
        Answer answer = call("POST", "/queues/mails/" + action, body, null);
        assertThat(answer.status()).as(answer.body()).isIn(400, 409);
        if (named != null) {
            assertThat(answer.json().get("error").asString()).contains(named);
        }
        assertThat(tasks.find("mails", "a").orElseThrow().dueAt()).isEqualTo(FAR);
        assertThat(admin.isPaused("mails")).isFalse();
    }

    /** Else what the application's security says of a path would not hold for it. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/queues/mails/pause | {\"name\": \"orders\"}",
                "/queues/mails/pause | {\"kind\": \"queues\", \"name\": \"orders\"}",
                "/queues/mails/pause | {\"path\": \"queues,orders,pause\"}",
                "/queues/mails/pause?path=queues,orders,pause | {}",
                "/queues/mails/pause?path=queues&path=orders&path=pause | {}",
                "/queues/mails/pause?name=orders | {}",
                "/queues/mails/resume | {\"action\": \"cancel\", \"all\": \"true\", \"dryRun\": \"false\"}",
                "/operations/none/stop | {\"name\": \"other\"}"
            })
    void changeWhenAParameterIsNamedAsAPartOfThePathIsRefused(String path, String body) {
        schedule("mails", "a", FAR);
        schedule("orders", "b", FAR);

        assertStatus(call("POST", path, body, null), 400);

        assertThat(admin.isPaused("mails")).isFalse();
        assertThat(admin.isPaused("orders")).isFalse();
        assertThat(tasks.find("mails", "a")).isPresent();
        assertThat(get("/operations").json().get("operations").values())
                .noneMatch(operation -> operation.get("status").asString().equals("RUNNING"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/queues?name=orders",
                "/queues/mails?path=queues,orders",
                "?path=queues,orders",
                "/queues/mails/tasks?staet=dead",
                "/queues/mails/tasks?state=dead&state=waiting",
                "/queues/mails/tasks?idPrefix=",
                "/queues/mails/rates?slices=2",
                "/tasks?id=a&queue=mails"
            })
    void readWhenAParameterWouldBeIgnoredIsRefused(String path) {
        assertStatus(get(path), 400);
    }

    /** The page of a site whose name leads to this application has the same origin as the endpoint. */
    @Test
    void endpointWhenAskedForByAnotherSitesNameAnswersOnlyWhoHasSignedIn() throws IOException {
        for (String host : List.of("evil.example", "evil.example:80", "localhost.evil.example")) {
            assertThat(raw("GET /actuator/delayqueue HTTP/1.1\r\nHost: " + host))
                    .startsWith("HTTP/1.1 403");
            assertThat(raw("GET /actuator/%64elayqueue/queues/mails HTTP/1.1\r\nHost: " + host))
                    .startsWith("HTTP/1.1 403")
                    .doesNotContain("shards");
        }
        assertThat(raw("GET /actuator/delayqueue HTTP/1.1\r\nHost: evil.example\r\n" + EndpointApplication.USER
                        + ": ada"))
                .startsWith("HTTP/1.1 200");
        assertThat(raw("GET /actuator/delayqueue HTTP/1.1\r\nHost: 127.0.0.1:8080"))
                .startsWith("HTTP/1.1 200");
    }

    private String raw(String request) throws IOException {
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), URI.create(base()).getPort())) {
            socket.getOutputStream()
                    .write((request + "\r\nConnection: close\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void pathsWhenTheyLeadNowhereAreNotFound() {
        for (String path :
                List.of("/nothing", "/nothing/x", "/queues/none", "/queues/mails/nothing", "/operations/none")) {
            assertStatus(get(path), 404);
        }
        assertStatus(post("/nothing/x/pause", Map.of()), 404);
        assertStatus(post("/operations/none/stop", Map.of()), 404);
        assertThat(call("DELETE", "/queues/mails/tasks?confirm=mails", null, null)
                        .status())
                .isIn(404, 405);
    }

    @Test
    void callerWhenNotPermittedIsRefused() {
        schedule("mails", "m", FAR);

        assertStatus(call("GET", "/queues/mails", null, "stranger"), 404);
        assertThat(call("GET", "", null, "stranger").json().get("queues").size())
                .isZero();
        assertThat(call("GET", "/tasks?id=m", null, "stranger")
                        .json()
                        .get("tasks")
                        .size())
                .isZero();
        assertStatus(call("GET", "/queues/mails", null, "support"), 200);
        assertStatus(call("POST", "/queues/mails/cancel", "{\"id\": \"m\"}", "support"), 403);
        assertStatus(call("POST", "/queues/mails/cancel", "{\"all\": true, \"dryRun\": false}", "support"), 403);
        assertStatus(call("POST", "/queues/mails/purge", "{\"confirm\": \"mails\"}", "support"), 403);
        assertThat(tasks.find("mails", "m")).isPresent();
    }

    @Test
    void changesWhenMadeAreAuditEventsWithThePrincipal() {
        schedule("mails", "m", FAR);
        Instant begin = Instant.now();

        assertStatus(call("POST", "/queues/mails/cancel", "{\"id\": \"m\"}", "ada"), 200);
        assertStatus(call("POST", "/queues/mails/pause", "{}", "support"), 403);

        AuditEvent cancelled =
                audit.find("ada", begin.minusMillis(1), "DELAYQUEUE_CANCEL").get(0);
        assertThat(cancelled.getData())
                .isEqualTo(Map.of("id", "m", "queue", "mails", "outcome", "CANCELLED", "count", 1L));
        assertThat(audit.find("support", begin.minusMillis(1), "DELAYQUEUE_PAUSE")
                        .get(0)
                        .getData())
                .containsEntry("outcome", "refused");
        assertThat(audit.find(null, null, null).toString()).doesNotContain("secret");
        JsonNode stored = get("/audit?queue=mails&size=1").json();
        assertThat(stored.get("audit").values())
                .extracting(
                        entry -> entry.get("who").asString(),
                        entry -> entry.get("action").asString(),
                        entry -> entry.get("outcome").asString())
                .containsExactly(tuple("ada", "cancel", "CANCELLED"));
        assertThat(stored.toString()).doesNotContain("secret");
        assertThat(call("GET", "/audit", null, "stranger").json().get("audit").size())
                .isZero();
        assertStatus(get("/audit?after=x"), 400);
        assertStatus(get("/audit?size=0"), 400);
        assertStatus(get("/audit?id=m"), 400);
    }

    @Test
    void changesWhenTheTaskIsNotAsItWasReadAreConflictsThatSayHowItIsNow() {
        schedule("orders", "o", FAR);
        String seen = "\"id\": \"o\", \"nextAttentionAt\": \"" + FAR + "\"";

        assertStatus(call("POST", "/queues/orders/reschedule", "{" + seen + ", \"to\": \"5h\"}", "ada"), 200);
        Instant now = tasks.find("orders", "o").orElseThrow().nextAttentionAt();
        for (String change : List.of(
                "cancel| ",
                "deliver| ",
                "reschedule|, \"by\": \"1h\"",
                "reschedule|, \"to\": \"9h\"",
                "redrive| ",
                "discard| ")) {
            String[] parts = change.split("\\|");
            Answer conflict = call("POST", "/queues/orders/" + parts[0], "{" + seen + parts[1] + "}", "ada");
            assertStatus(conflict, 409);
            assertThat(conflict.json().get("code").asString()).isEqualTo("the-task-has-changed");
            assertThat(conflict.json().get("error").asString()).contains("scheduled", now.toString());
        }
        assertThat(tasks.find("orders", "o").orElseThrow().nextAttentionAt()).isEqualTo(now);

        String right = "{\"id\": \"o\", \"nextAttentionAt\": \"" + now + "\"}";
        assertStatus(call("POST", "/queues/orders/redrive", right, "ada"), 404);
        assertThat(call("POST", "/queues/orders/cancel", right, "ada")
                        .json()
                        .get("change")
                        .get("outcome")
                        .asString())
                .isEqualTo("CANCELLED");
        assertStatus(call("POST", "/queues/orders/cancel", right, "ada"), 404);
        assertStatus(call("POST", "/queues/orders/cancel", "{\"id\": \"o\", \"nextAttentionAt\": \"x\"}", "ada"), 400);
        assertStatus(
                call("POST", "/queues/orders/cancel", "{\"all\": true, \"nextAttentionAt\": \"" + now + "\"}", "ada"),
                400);
    }

    @Test
    void queueWhenPausedForATimeSaysUntilWhenByWhomAndWhy() {
        Answer paused = call("POST", "/queues/orders/pause", "{\"for\": \"10m\", \"reason\": \"deploy\"}", "ada");
        assertStatus(paused, 200);

        JsonNode queue = get("/queues/orders").json().get("queue");
        assertThat(queue.get("paused").asBoolean()).isTrue();
        JsonNode pause = queue.get("pause");
        assertThat(pause.get("by").asString()).isEqualTo("ada");
        assertThat(pause.get("reason").asString()).isEqualTo("deploy");
        assertThat(Duration.between(
                        Instant.parse(pause.get("since").asString()),
                        Instant.parse(pause.get("until").asString())))
                .isBetween(Duration.ofMinutes(10), Duration.ofMinutes(11));
        assertStatus(post("/queues/orders/resume", Map.of()), 200);
        assertThat(get("/queues/orders").json().get("queue").get("pause")).isNull();
    }

    @Test
    void operationWhenBegunCountsFirstAndThenChanges() {
        for (int i = 0; i < 30; i++) {
            schedule("mails", (i % 3 == 0 ? "vip-" : "t-") + i, FAR);
        }
        Answer counting = post("/queues/mails/cancel", Map.of("idPrefix", "vip-"));
        assertStatus(counting, 202);
        JsonNode counted = ended(counting.json().get("operation").get("handle").asString());
        assertThat(counted.get("matched").asInt()).isEqualTo(10);
        assertThat(counted.get("done").asInt()).isZero();
        assertThat(admin.stats("mails").delayed()).isEqualTo(30);

        Answer begun = post("/queues/mails/cancel", Map.of("idPrefix", "vip-", "dryRun", false));
        String handle = begun.json().get("operation").get("handle").asString();
        assertThat(ended(handle).get("done").asInt()).isEqualTo(10);
        assertThat(admin.stats("mails").delayed()).isEqualTo(20);
        assertThat(get("/operations").body()).contains(handle);
    }

    @Test
    void purgeWhenTheNameIsNotGivenTwiceIsRefused() {
        schedule("mails", "m", FAR);

        assertStatus(post("/queues/mails/purge", Map.of()), 400);
        assertStatus(post("/queues/mails/purge", Map.of("confirm", "orders")), 400);
        assertThat(admin.stats("mails").delayed()).isEqualTo(1);
        Answer purged = post("/queues/mails/purge", Map.of("confirm", "mails"));
        assertStatus(purged, 200);
        assertThat(purged.json().get("change").get("count").asInt()).isEqualTo(1);
    }
}
