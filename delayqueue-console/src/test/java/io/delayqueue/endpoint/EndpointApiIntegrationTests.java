// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;
import static org.awaitility.Awaitility.await;

import io.delayqueue.internal.sharding.Sharding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.springframework.test.context.TestPropertySource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The endpoint describes itself, and does as it and the documentation say. */
@TestPropertySource(properties = "management.endpoint.delayqueue.access=unrestricted")
class EndpointApiIntegrationTests extends EndpointScene {

    private static final Path DOCS = Path.of("..", "docs");
    /** Set to rewrite {@code docs/openapi.json}. */
    private static final String REWRITE = "delayqueue.openapi.rewrite";

    private static final Pattern KNOWN = Pattern.compile("Its parameters are: (.*)$");

    private JsonNode calls() {
        return get("/help").json().get("help");
    }

    private static String path(JsonNode call) {
        String path = call.get("path").asString();
        return path.equals("/") ? "" : path.replace("{queue}", "mails").replace("{handle}", "none");
    }

    private static Set<String> names(JsonNode call) {
        return call.get("parameters").values().stream()
                .map(parameter -> parameter.get("name").asString())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The text of a refusal names the parameters that the endpoint knows. */
    @Test
    void helpWhenReadHasTheCallsAndParametersThatTheEndpointKnows() {
        for (JsonNode call : calls().values()) {
            Set<String> names = names(call);
            boolean many = names.contains("all");
            Answer refused = call.get("method").asString().equals("GET")
                    ? get(path(call) + "?nonsense=1")
                    : post(
                            path(call),
                            !many && names.contains("id")
                                    ? Map.of("id", "a", "nonsense", "1")
                                    : Map.of("nonsense", "1"));

            assertThat(refused.status()).as("%s: %s", call, refused.body()).isEqualTo(400);
            String error = refused.json().get("error").asString();
            MatchResult known = KNOWN.matcher(error).results().findFirst().orElse(null);
            names.remove("zone");
            assertThat(
                            known == null
                                    ? Set.of()
                                    : new TreeSet<>(List.of(known.group(1).split(", "))))
                    .as(call.toString())
                    .isEqualTo(names);
            for (JsonNode parameter : call.get("parameters").values()) {
                assertThat(parameter.get("meaning").asString())
                        .as(call.toString())
                        .isNotBlank();
            }
        }
    }

    @Test
    void callsAndParametersAreAllInTheDocumentation() throws IOException {
        String page = Files.readString(DOCS.resolve("endpoint.md"));
        String section = page.substring(page.indexOf("## Calls"), page.indexOf("## Operations on many tasks"));
        for (JsonNode call : calls().values()) {
            String path = call.get("path").asString();
            String last = path.substring(path.lastIndexOf('/') + 1);
            assertThat(section)
                    .as(path)
                    .containsPattern(
                            "[`/]" + Pattern.quote(last.replace("{", "<").replace("}", ">")) + "`");
            for (String name : names(call)) {
                assertThat(section).as(path).contains("`" + name + "`");
            }
        }
    }

    @Test
    void openApiFileIsWhatTheEndpointSaysOfItself() throws IOException {
        Path path = DOCS.resolve("openapi.json");
        String text = JsonMapper.builder()
                        .enable(SerializationFeature.INDENT_OUTPUT)
                        .build()
                        .writeValueAsString(openApi(calls()))
                + "\n";
        if (Boolean.getBoolean(REWRITE)) {
            Files.writeString(path, text);
        }
        assertThat(path).as("docs/openapi.json; -D%s=true rewrites it", REWRITE).hasContent(text);
    }

    private ObjectNode openApi(JsonNode calls) {
        ObjectNode root = json.createObjectNode();
        root.put("openapi", "3.1.0");
        root.putObject("info")
                .put("title", "delayqueue")
                .put("version", "0.1.0")
                .put("description", "The actuator endpoint 'delayqueue'. See endpoint.md.");
        root.putArray("servers").addObject().put("url", "/actuator/delayqueue");
        ObjectNode paths = root.putObject("paths");
        for (JsonNode call : calls.values()) {
            String method = call.get("method").asString().toLowerCase(Locale.ROOT);
            ObjectNode path = paths.withObjectProperty(call.get("path").asString());
            if (path.has(method)) {
                merge(path.withObjectProperty(method), call);
            } else {
                describe(path.putObject(method), call, method.equals("get"));
            }
        }
        return root;
    }

    private static void describe(ObjectNode operation, JsonNode call, boolean isRead) {
        String path = call.get("path").asString();
        operation.put("summary", call.get("result").asString());
        ArrayNode parameters = operation.putArray("parameters");
        Pattern.compile("\\{(\\w+)}")
                .matcher(path)
                .results()
                .forEach(variable -> parameters
                        .addObject()
                        .put("name", variable.group(1))
                        .put("in", "path")
                        .put("required", true)
                        .putObject("schema")
                        .put("type", "string"));
        if (isRead) {
            for (JsonNode parameter : call.get("parameters").values()) {
                ObjectNode described = parameters
                        .addObject()
                        .put("name", parameter.get("name").asString())
                        .put("in", "query")
                        .put("required", parameter.get("required").asBoolean())
                        .put("description", parameter.get("meaning").asString());
                described.putObject("schema").put("type", type(parameter));
            }
        } else {
            ObjectNode schema = operation
                    .putObject("requestBody")
                    .putObject("content")
                    .putObject("application/json")
                    .putObject("schema")
                    .put("type", "object")
                    .put("additionalProperties", false);
            ArrayNode required = schema.putArray("required");
            for (JsonNode parameter : call.get("parameters").values()) {
                if (parameter.get("required").asBoolean()) {
                    required.add(parameter.get("name").asString());
                }
            }
            properties(schema.putObject("properties"), call);
        }
        ObjectNode responses = operation.putObject("responses");
        responses.putObject("2XX").put("description", result(call, isRead));
        responses
                .putObject("default")
                .put("description", "an error")
                .putObject("content")
                .putObject("application/json")
                .putObject("schema")
                .put("type", "object")
                .putObject("properties")
                .set("error", string(operation))
                .set("code", string(operation));
    }

    private static String result(JsonNode call, boolean isRead) {
        if (isRead) {
            return "the answer";
        }
        boolean starts =
                call.get("path").asString().endsWith("/run") || names(call).contains("dryRun");
        return starts
                ? "the change, or with status 202 the operation that was started; in Spring MVC, the header Location"
                        + " has its address"
                : "the change";
    }

    /** A call on one task and the call on many have the same path, and no common required parameter. */
    private static void merge(ObjectNode operation, JsonNode call) {
        operation.put(
                "summary",
                operation.get("summary").asString() + ", or "
                        + call.get("result").asString());
        ((ObjectNode) operation.at("/responses/2XX")).put("description", result(call, false));
        ObjectNode schema = (ObjectNode) operation.at("/requestBody/content/application~1json/schema");
        schema.putArray("required");
        properties((ObjectNode) schema.get("properties"), call);
    }

    private static void properties(ObjectNode properties, JsonNode call) {
        for (JsonNode parameter : call.get("parameters").values()) {
            properties
                    .putObject(parameter.get("name").asString())
                    .put("type", type(parameter))
                    .put("description", parameter.get("meaning").asString());
        }
    }

    private static String type(JsonNode parameter) {
        return parameter.get("type").asString().toLowerCase(Locale.ROOT);
    }

    private static ObjectNode string(ObjectNode any) {
        return any.objectNode().put("type", "string");
    }

    @Test
    void answersAreNamedByTheirCallAndErrorsHaveACode() {
        schedule("mails", "m", FAR);
        for (String part : List.of(
                "tasks", "task?id=m", "history?id=m", "histogram", "reasons", "rates", "key?key=k", "settings")) {
            Answer answer = get("/queues/mails/" + part);
            assertStatus(answer, 200);
            assertThat(answer.json().has(part.replaceAll("\\?.*", "")))
                    .as(answer.body())
                    .isTrue();
        }
        assertThat(post("/queues/mails/pause", Map.of())
                        .json()
                        .get("change")
                        .get("action")
                        .asString())
                .isEqualTo("pause");
        post("/queues/mails/resume", Map.of());

        assertThat(List.of(
                        get("/queues/none").json(),
                        get("/nonsense").json(),
                        get("/queues/mails/tasks?state=x").json(),
                        call("POST", "/queues/mails/pause", "{}", "support").json()))
                .extracting(answer -> answer.get("code").asString())
                .containsExactly("queue-not-found", "not-found", "invalid-input", "not-allowed");
    }

    @Test
    void whatIsGoneAnswersNotFoundAndSaysWhatIsMissing() {
        assertNotFound(get("/queues/mails/task?id=gone"), "no task with this id");
        assertNotFound(get("/operations/gone"), "No operation has this handle");
        for (String verb : List.of("run", "stop", "resume")) {
            assertNotFound(post("/operations/gone/" + verb, Map.of()), "No operation has this handle");
        }
        assertNotFound(post("/operations/gone/nothing", Map.of()), "This path does not exist");
        assertNotFound(get("/queues/mails/nothing"), "This path does not exist");
    }

    private static void assertNotFound(Answer answer, String error) {
        assertStatus(answer, 404);
        assertThat(answer.json().get("code").asString()).isEqualTo("not-found");
        assertThat(answer.json().get("error").asString()).contains(error);
    }

    @Test
    void settingsAreThoseOfTheProcessesThatDeliverTheQueue() {
        JsonNode settings =
                await().until(() -> get("/queues/orders/settings").json().get("settings"), found -> found.has("lease"));

        assertThat(settings.at("/destination/0").asString()).isEqualTo("handler");
        assertThat(settings.get("retry.max-retries").get(0).asString()).isEqualTo("0");
        assertThat(get("/queues/mails/settings").json().get("settings").isEmpty())
                .isTrue();
    }

    @Test
    void taskWhenItFailedHasItsStackTraceForCallersWhoMaySeePayloads() {
        makeDead("d");

        assertThat(call("GET", "/queues/orders/task?id=d", null, "auditor")
                        .json()
                        .at("/task/stackTrace")
                        .asString())
                .startsWith("java.lang.IllegalStateException: payment service says 503\n\tat ");
        assertThat(get("/queues/orders/task?id=d").json().get("task").has("stackTrace"))
                .isFalse();
    }

    @Test
    void tasksWhenAskedInTheWordsOfAnAnswerAreFoundWithTheirTotal() {
        schedule("mails", "a", FAR);
        schedule("mails", "b", FAR);
        makeDead("d");

        JsonNode page = get("/queues/mails/tasks?size=1").json();
        assertThat(page.get("total").asInt()).isEqualTo(2);
        String state = page.get("tasks").get(0).get("state").asString();
        assertThat(get("/queues/mails/tasks?state=" + state).json().get("tasks").size())
                .isEqualTo(2);
        assertThat(get("/queues/orders/tasks?state=DEAD").json().get("total").asInt())
                .isEqualTo(1);
        assertThat(get("/queues/mails/tasks?idPrefix=a").json().get("total")).isNull();
        assertThat(get("/queues/mails/tasks?from=1h").json().get("total").asInt())
                .isEqualTo(2);
        assertThat(get("/queues/mails/tasks?until=1h").json().get("total").asInt())
                .isZero();
    }

    @Test
    void deadTasksWhenSortedHaveTheNewestOrTheOldestFirst() {
        List<String> ofOneShard = IntStream.range(0, 20)
                .mapToObj(i -> "d" + i)
                .filter(id -> Sharding.initial(2).homeOf(id) == 0)
                .limit(2)
                .toList();
        ofOneShard.forEach(this::makeDead);

        assertThat(get("/queues/orders/tasks?state=dead&sort=oldest")
                        .json()
                        .at("/tasks/0/id")
                        .asString())
                .isEqualTo(ofOneShard.get(0));
        assertThat(get("/queues/orders/tasks?state=dead&sort=newest")
                        .json()
                        .at("/tasks/0/id")
                        .asString())
                .isEqualTo(ofOneShard.get(1));
        assertStatus(get("/queues/orders/tasks?state=dead&sort=name"), 400);
        assertStatus(get("/queues/orders/tasks?sort=oldest"), 400);
    }

    @Test
    void operationWhenStartedIsAtItsLocationAndCanBeWaitedFor() {
        schedule("mails", "m", FAR);
        Answer started = post("/queues/mails/cancel", Map.of("all", true));
        assertStatus(started, 202);
        assertThat(started.location())
                .isEqualTo("/actuator/delayqueue/operations/"
                        + started.json().get("operation").get("handle").asString());

        String place = started.location().replace("/actuator/delayqueue", "");
        Answer ended = get(place + "?wait=20s");
        assertStatus(ended, 200);
        JsonNode counted = ended.json().get("operation");
        assertThat(counted.get("status").asString()).isEqualTo("DONE");
        assertThat(counted.get("matched").asInt()).isEqualTo(1);
        assertThat(post(place + "/run", Map.of()).location()).startsWith("/actuator/delayqueue/operations/");
        assertStatus(get(place + "?wait=31s"), 400);
        assertStatus(get(place + "?wait=soon"), 400);
        assertStatus(get("/operations/none?wait=5s"), 404);
    }

    @Test
    void scheduleWhenTheCallerHasThePermissionKeepsOrReplacesATask() {
        Map<String, Object> body = Map.of(
                "id", "s", "key", "acme", "to", FAR.toString(), "payload", "{\"total\": 5}", "header", "tenant=acme");
        assertStatus(post("/queues/mails/schedule", body), 403);
        assertThat(tasks.find("mails", "{acme}:s")).isEmpty();

        Answer created = call("POST", "/queues/mails/schedule", json.writeValueAsString(body), "scheduler");
        assertStatus(created, 200);
        assertThat(created.json().get("change").get("outcome").asString()).isEqualTo("CREATED");
        assertThat(created.json().get("change").get("id").asString()).isEqualTo("{acme}:s");
        var task = tasks.find("mails", "{acme}:s", Map.class).orElseThrow();
        assertThat((Object) task.payload()).isEqualTo(Map.of("total", 5));
        assertThat(task.headers()).containsEntry("tenant", "acme");
        assertThat(task.dueAt()).isEqualTo(FAR);

        List<String> outcomes = new ArrayList<>();
        for (String replace : List.of("false", "true")) {
            outcomes.add(call(
                            "POST",
                            "/queues/mails/schedule",
                            "{\"id\": \"s\", \"key\": \"acme\", \"to\": \"1h\", \"payload\": \"1\", \"replace\": "
                                    + replace + "}",
                            "scheduler")
                    .json()
                    .get("change")
                    .get("outcome")
                    .asString());
        }
        assertThat(outcomes).containsExactly("KEPT", "REPLACED");
        assertThat(get("/audit?queue=mails&size=3").json().get("audit").values())
                .extracting(
                        entry -> entry.get("who").asString(),
                        entry -> entry.get("outcome").asString())
                .containsExactly(
                        tuple("scheduler", "REPLACED"), tuple("scheduler", "KEPT"), tuple("scheduler", "CREATED"));
        assertThat(get("/audit?queue=mails").body()).doesNotContain("total").doesNotContain("refused");
    }
}
