// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.delayqueue.DelayQueueOperations;
import io.delayqueue.InvalidTaskException;
import io.delayqueue.TaskStoreFullException;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.annotation.DelayQueueListener;
import io.delayqueue.test.server.EmbeddedAmqpBroker;
import io.delayqueue.test.server.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Checks the alert rules and the dashboard with promtool and the metrics of a real application: in a healthy state,
 * with dead tasks, and with late deliveries. In addition, one queue has no process that delivers it, and another is
 * paused.
 */
class PrometheusIntegrationTests {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Path RULES =
            Path.of("../ops/prometheus-rules.yml").toAbsolutePath().normalize();
    private static final Path DASHBOARD = Path.of("../ops/grafana-dashboard.json");
    private static final Pattern SAMPLE = Pattern.compile("(?m)^(delayqueue_\\w+(?:\\{[^}]*})?) (\\S+)$");
    private static final Pattern NAME = Pattern.compile("delayqueue_\\w+");
    private static final int MINUTES = 250;
    /** A value that is another one each minute. */
    private static final String GROWING = "growing";

    private static final String FAST = "ten more a minute";

    /** Four scrapes of one application. */
    private static final List<Map<String, String>> SCRAPES = new ArrayList<>();

    @TempDir
    Path folder;

    @BeforeAll
    static void export() {
        try (RedisServer redis = RedisServer.embedded().start();
                EmbeddedAmqpBroker broker = new EmbeddedAmqpBroker()) {
            broker.start();
            declareQueuesOfAnIntake(broker);
            new ApplicationContextRunner()
                    .withConfiguration(AutoConfigurations.of(
                            DataRedisAutoConfiguration.class,
                            JacksonAutoConfiguration.class,
                            RabbitAutoConfiguration.class,
                            ObservationAutoConfiguration.class,
                            MetricsAutoConfiguration.class,
                            CompositeMeterRegistryAutoConfiguration.class,
                            DelayQueueAutoConfiguration.class,
                            DelayQueueRabbitAutoConfiguration.class))
                    .withBean(
                            PrometheusMeterRegistry.class, () -> new PrometheusMeterRegistry(PrometheusConfig.DEFAULT))
                    .withBean(Handlers.class)
                    .withPropertyValues(
                            "spring.data.redis.url=" + redis.uri(),
                            "spring.rabbitmq.addresses=" + broker.uri(),
                            "delayqueue.metrics.interval=1s",
                            "delayqueue.queues.orders.retry.max-retries=0",
                            "delayqueue.queues.idle=",
                            "delayqueue.queues.held=",
                            "delayqueue.queues.mails.rabbit.exchange=shop",
                            "delayqueue.queues.mails.rabbit.declare.exchange-type=direct",
                            "delayqueue.queues.mails.rabbit.declare.queue=mails",
                            "delayqueue.rabbit.intake.in.queue=in")
                    .run(context -> {
                        assertThat(context).hasNotFailed();
                        run(context, redis);
                    });
        }
    }

    /** The embedded broker has no quorum queues, which an intake would declare. */
    private static void declareQueuesOfAnIntake(EmbeddedAmqpBroker broker) {
        ConnectionFactory factory = new ConnectionFactory();
        try {
            factory.setUri(broker.uri());
            try (Connection connection = factory.newConnection();
                    Channel channel = connection.createChannel()) {
                for (String queue : List.of("in", "in.rejected")) {
                    channel.queueDeclare(queue, true, false, false, Map.of());
                }
            }
        } catch (Exception ex) {
            throw new IllegalStateException(ex);
        }
    }

    private static void run(ApplicationContext context, RedisServer redis) {
        context.getBean(DelayQueueAdmin.class).pause("held");
        badInput(context);
        schedule(context, "idle", 1, Duration.ofMinutes(-10));
        schedule(context, "mails", 1, Duration.ZERO);
        schedule(context, "orders", 20, Duration.ofMillis(300));
        scrapeWhen(context, 20, 0);
        badInput(context);
        schedule(context, "orders", 20, Duration.ofMillis(300));
        scrapeWhen(context, 40, 0);
        quarantine(redis);
        scheduleWhenRedisIsFull(context, redis);
        scrapeWhen(context, 40, 1);
        scheduleWhenRedisIsFull(context, redis);
        schedule(context, "orders", 20, Duration.ofSeconds(-10));
        scrapeWhen(context, 60, 1);
    }

    private static void schedule(ApplicationContext context, String queue, int tasks, Duration delay) {
        Instant due = Instant.now().plus(delay);
        for (int i = 0; i < tasks; i++) {
            context.getBean(DelayQueueOperations.class).schedule(requestTo(queue, "x", due));
        }
    }

    private static void badInput(ApplicationContext context) {
        assertThatExceptionOfType(InvalidTaskException.class)
                .isThrownBy(() -> context.getBean(DelayQueueOperations.class).cancel("orders", "\u0000"));
    }

    /** Something else writes what is no task. */
    private static void quarantine(RedisServer redis) {
        withCommands(redis, other -> {
            other.hset("dq:{orders:0}:tasks", "foreign", "\u0000?");
            other.zadd("dq:{orders:0}:index", 1000, "foreign");
            other.publish("dq:orders:wake", "0");
        });
    }

    private static void scheduleWhenRedisIsFull(ApplicationContext context, RedisServer redis) {
        withCommands(redis, commands -> {
            commands.configSet("maxmemory", "1");
            assertThatExceptionOfType(TaskStoreFullException.class)
                    .isThrownBy(() -> schedule(context, "idle", 1, Duration.ofHours(1)));
            commands.configSet("maxmemory", "0");
        });
    }

    private static void withCommands(RedisServer redis, Consumer<RedisCommands<String, String>> action) {
        RedisClient client = RedisClient.create(RedisURI.create(redis.adminUri()));
        try {
            action.accept(client.connect().sync());
        } finally {
            client.shutdown();
        }
    }

    private static void scrapeWhen(ApplicationContext context, int delivered, int dead) {
        MeterRegistry meters = context.getBean(MeterRegistry.class);
        await().atMost(PATIENCE).ignoreExceptions().untilAsserted(() -> {
            assertThat(meters.get("delayqueue.deliveries")
                            .tags("queue", "orders", "outcome", "delivered")
                            .functionCounter()
                            .count())
                    .isEqualTo(delivered);
            assertThat(gauge(meters, "orders", "dead")).isEqualTo(dead);
            assertThat(gauge(meters, "idle", "ready")).isOne();
            assertThat(meters.get("delayqueue.intake.blocked").gauge().value()).isZero();
            assertThat(meters.get("delayqueue.paused")
                            .tag("queue", "held")
                            .gauge()
                            .value())
                    .isOne();
            assertThat(meters.get("delayqueue.publish")
                            .tags("queue", "mails", "outcome", "delivered")
                            .timer()
                            .count())
                    .isOne();
        });
        Map<String, String> samples = new LinkedHashMap<>();
        SAMPLE.matcher(context.getBean(PrometheusMeterRegistry.class).scrape())
                .results()
                .forEach(sample -> samples.put(sample.group(1), sample.group(2)));
        SCRAPES.add(samples);
    }

    private static double gauge(MeterRegistry meters, String queue, String state) {
        return meters.get("delayqueue.tasks")
                .tags("queue", queue, "state", state)
                .gauge()
                .value();
    }

    @Test
    void alertsWhenARealRunIsReplayedFireForWhatIsWrongAndForNothingElse() throws Exception {
        List<String> expected = new ArrayList<>();
        for (String alert : alerts().keySet()) {
            Set<String> early = switch (alert) {
                case "DelayqueueOverdue", "DelayqueueNobodyDelivers" -> Set.of("idle");
                default -> Set.of();
            };
            expected.add(expectation(alert, 25, "queue", early));
        }
        expected.add(expectation("DelayqueueDeadTasks", 35, "queue", Set.of("orders")));
        expected.add(expectation("DelayqueueDeliveriesFail", 60, "queue", Set.of()));
        expected.add(expectation("DelayqueueTasksQuarantined", 35, "queue", Set.of("orders")));
        expected.add(expectation("DelayqueueCallsFailed", 15, "queue", Set.of()));
        expected.add(expectation("DelayqueueCallsFailed", 35, "queue", Set.of("idle")));
        expected.add(expectation("DelayqueueCallsFailed", 45, "queue", Set.of("idle")));
        expected.add(expectation("DelayqueueCallsFailed", 60, "queue", Set.of()));
        expected.add(expectation("DelayqueueCallsFail", 45, "queue", Set.of()));
        expected.add(expectation("DelayqueueLatenessBurnsFast", 35, "queue", Set.of()));
        expected.add(expectation("DelayqueueLatenessBurnsFast", 43, "queue", Set.of("orders")));
        expected.add(expectation("DelayqueueLatenessBurnsFast", 60, "queue", Set.of()));
        expected.add(expectation("DelayqueueLatenessBurnsSlowly", 57, "queue", Set.of("orders")));
        expected.add(expectation("DelayqueueTasksQuarantined", 60, "queue", Set.of()));
        expected.add(expectation("DelayqueuePausedForLong", 245, "queue", Set.of("held")));

        assertThat(test(expected, Map.of())).contains("SUCCESS");
    }

    /** A real broker that blocks, and a Redis that is away for minutes, are put in by hand. */
    @Test
    void alertsWhenTheBrokerBlocksOrRedisIsAwayFire() throws Exception {
        assertThat(test(
                        List.of(
                                expectation("DelayqueueBrokerBlocked", 9, "connection", Set.of()),
                                expectation(
                                        "DelayqueueBrokerBlocked", 32, "connection", Set.of("delayqueue-publisher"))),
                        Map.of("delayqueue_rabbit_blocked", "1")))
                .contains("SUCCESS");
        assertThat(test(
                        List.of(expectation(
                                "DelayqueueCountsAreOld",
                                35,
                                "queue",
                                Set.of("orders", "idle", "held", "mails", "intake"))),
                        Map.of("delayqueue_tasks_age_seconds", "400")))
                .contains("SUCCESS");
    }

    @Test
    void alertsWhenAnIntakeAcceptsNoMessagesForLongOrRejectsSomeFire() throws Exception {
        assertThat(test(
                        List.of(
                                expectation("DelayqueueIntakeBlocked", 34, "intake", Set.of()),
                                expectation("DelayqueueIntakeBlocked", 40, "intake", Set.of("in")),
                                expectation("DelayqueueIntakeRejects", 29, "intake", Set.of()),
                                expectation("DelayqueueIntakeRejects", 35, "intake", Set.of("in")),
                                expectation("DelayqueueIntakeRejects", 60, "intake", Set.of())),
                        Map.of(
                                "delayqueue_intake_blocked",
                                "1",
                                "delayqueue_intake_messages_total{intake=\"in\",outcome=\"rejected\"",
                                "3")))
                .contains("SUCCESS");
    }

    @Test
    void alertsWhenCallsGoOnFailingFire() throws Exception {
        assertThat(test(
                        List.of(
                                expectation("DelayqueueCallsFail", 34, "queue", Set.of()),
                                expectation("DelayqueueCallsFail", 40, "queue", Set.of("idle"))),
                        Map.of("delayqueue_schedule_seconds_count{error=\"TaskStoreFullException\"", GROWING)))
                .contains("SUCCESS");
    }

    @Test
    void alertsWhenDeadTasksAreTrimmedFire() throws Exception {
        assertThat(test(
                        List.of(
                                expectation("DelayqueueDeadTasksTrimmed", 25, "queue", Set.of()),
                                expectation("DelayqueueDeadTasksTrimmed", 35, "queue", Set.of("orders"))),
                        Map.of("delayqueue_tasks_trimmed_total{queue=\"orders\"", GROWING)))
                .contains("SUCCESS");
    }

    @Test
    void alertsWhenAttemptsFailFireBeforeAnyTaskIsDead() throws Exception {
        String failed = "delayqueue_deliveries_total{destination=\"handler\",outcome=\"failed\",queue=\"orders\"}";
        assertThat(test(
                        List.of(
                                expectation("DelayqueueDeliveriesFail", 33, "queue", Set.of()),
                                expectation("DelayqueueDeliveriesFail", 45, "queue", Set.of("orders")),
                                expectation("DelayqueueTasksDied", 45, "queue", Set.of())),
                        Map.of(failed, FAST)))
                .contains("SUCCESS");
    }

    @Test
    void alertsWhenTasksDieEndWhenNoMoreDo() throws Exception {
        String dead = "delayqueue_deliveries_total{destination=\"handler\",outcome=\"dead\",queue=\"orders\"}";
        assertThat(test(
                        List.of(
                                expectation("DelayqueueTasksDied", 29, "queue", Set.of()),
                                expectation("DelayqueueTasksDied", 35, "queue", Set.of("orders")),
                                expectation("DelayqueueTasksDied", 60, "queue", Set.of())),
                        Map.of(dead, "3")))
                .contains("SUCCESS");
    }

    /** A person who is woken needs to know where, how much, and what to do. */
    @Test
    void alertsNameTheirJobAndLeadToTheRunbook() throws Exception {
        String runbook = Files.readString(RULES.resolveSibling("../docs/operations.md"));
        List<String> titles = runbook.lines()
                .filter(line -> line.startsWith("##"))
                .map(line ->
                        line.replaceFirst("#+ ", "").toLowerCase(Locale.ROOT).replace(' ', '-'))
                .toList();
        assertThat(alerts()).allSatisfy((name, rule) -> {
            Map<?, ?> annotations = (Map<?, ?>) rule.get("annotations");
            assertThat(rule.get("expr").toString()).doesNotContain("by (queue)", "on (queue)", "by (connection)");
            assertThat(annotations.get("description")).isNotNull();
            assertThat(annotations.get("runbook_url").toString())
                    .startsWith("https://")
                    .matches(url -> titles.contains(url.replaceFirst(".*#", "")));
        });
    }

    /**
     * Half an hour after the last delivery of a queue has ended, a task is due, and a handler is busy with another one
     * or idle.
     */
    @Test
    void alertsWhenTasksAreDueBehindASlowHandlerDoNotSayThatNobodyDelivers() throws Exception {
        String due = "delayqueue_tasks{queue=\"orders\",state=\"ready\"}";
        assertThat(test(
                        List.of(expectation("DelayqueueNobodyDelivers", 80, "queue", Set.of("idle", "orders"))),
                        Map.of(due, "1")))
                .contains("SUCCESS");
        assertThat(test(
                        List.of(expectation("DelayqueueNobodyDelivers", 80, "queue", Set.of("idle"))),
                        Map.of(
                                due,
                                "1",
                                "delayqueue_deliveries_active{destination=\"handler\",queue=\"orders\"}",
                                "1")))
                .contains("SUCCESS");
    }

    @Test
    void dashboardAndRulesAskForNothingButWhatARealRunExports() throws Exception {
        Set<String> exported = SCRAPES.get(3).keySet().stream()
                .map(series -> series.replaceFirst("\\{.*", ""))
                .collect(Collectors.toSet());
        List<String> queries = queries(JsonMapper.shared().readTree(Files.readString(DASHBOARD)));
        assertThat(queries).hasSizeGreaterThan(20);
        assertThat(names(String.join("\n", queries))).isSubsetOf(exported);
        assertThat(names(Files.readString(RULES))).isSubsetOf(exported);

        StringBuilder rules = new StringBuilder("groups:\n  - name: dashboard\n    rules:\n");
        for (int i = 0; i < queries.size(); i++) {
            String query = queries.get(i).replace("$__rate_interval", "5m").replace("$queue", ".*");
            rules.append("      - record: panel")
                    .append(i)
                    .append("\n        expr: ")
                    .append(quoted(query))
                    .append('\n');
        }
        Path file = Files.writeString(folder.resolve("panels.yml"), rules.toString());
        assertThat(promtool("check", "rules", file.toString())).contains(queries.size() + " rules found");
    }

    private static List<String> queries(JsonNode dashboard) {
        List<String> queries = new ArrayList<>();
        dashboard
                .get("panels")
                .forEach(panel -> panel.get("targets")
                        .forEach(target -> queries.add(target.get("expr").asString())));
        return queries;
    }

    private static Set<String> names(String text) {
        Set<String> names = new TreeSet<>();
        Matcher matcher = NAME.matcher(text);
        while (matcher.find()) {
            names.add(matcher.group());
        }
        return names;
    }

    /**
     * Replays the scrapes: ten minutes of the first, twenty of the second, ten of the third, and the last for the rest.
     *
     * @param changed values from the third on, by how the names of their series begin
     */
    private String test(List<String> expectations, Map<String, String> changed) throws Exception {
        assertThat(changed.keySet())
                .allSatisfy(begin -> assertThat(SCRAPES.get(3).keySet()).anyMatch(series -> series.startsWith(begin)));
        // promtool compares whole annotations, and descriptions hold the values of a run.
        String rules = Files.readString(RULES).replaceAll("(?m)^ +description: .*\n", "");
        Path undescribed = Files.writeString(folder.resolve("rules.yml"), rules);
        StringBuilder test = new StringBuilder("rule_files: [" + quoted(undescribed.toString())
                + "]\nevaluation_interval: 1m\ntests:\n  - interval: 1m\n    input_series:\n");
        for (String series : SCRAPES.get(3).keySet()) {
            String other = changed.entrySet().stream()
                    .filter(change -> series.startsWith(change.getKey()))
                    .map(Map.Entry::getValue)
                    .findFirst()
                    .orElse(null);
            StringBuilder values = new StringBuilder();
            for (int minute = 0; minute < MINUTES; minute++) {
                int scrape = minute < 10 ? 0 : minute < 30 ? 1 : minute < 40 ? 2 : 3;
                String value = SCRAPES.get(scrape).getOrDefault(series, "_");
                String changedTo = GROWING.equals(other)
                        ? String.valueOf(minute)
                        : FAST.equals(other) ? String.valueOf(10 * minute) : other;
                values.append(changedTo != null && scrape > 1 ? changedTo : value.equals("NaN") ? "_" : value)
                        .append(' ');
            }
            test.append("      - series: ").append(quoted(ofJob(series))).append("\n        values: ");
            test.append(quoted(values.toString().strip())).append('\n');
        }
        test.append("    alert_rule_test:\n");
        expectations.forEach(test::append);
        Path file = Files.writeString(folder.resolve("test.yml"), test.toString());
        return promtool("test", "rules", file.toString());
    }

    private static String ofJob(String series) {
        return series.contains("{") ? series.replaceFirst("\\{", "{job=\"shop\",") : series + "{job=\"shop\"}";
    }

    private static String expectation(String alert, int minute, String label, Set<String> firing) throws IOException {
        Map<String, Object> rule = alerts().get(alert);
        String severity = ((Map<?, ?>) rule.get("labels")).get("severity").toString();
        Map<?, ?> annotations = (Map<?, ?>) rule.get("annotations");
        String summary = annotations.get("summary").toString();
        StringBuilder expected =
                new StringBuilder("      - {eval_time: " + minute + "m, alertname: " + alert + ", exp_alerts: [");
        for (String value : firing) {
            expected.append("{exp_labels: {")
                    .append(label)
                    .append(": ")
                    .append(value)
                    .append(", job: shop, severity: ")
                    .append(severity)
                    .append("}, exp_annotations: {summary: ")
                    .append(quoted(summary.replace("{{ $labels." + label + " }}", value)))
                    .append(", runbook_url: ")
                    .append(quoted(annotations.get("runbook_url").toString()))
                    .append("}},");
        }
        return expected.append("]}\n").toString();
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Map<String, Object>> alerts() throws IOException {
        Map<String, Object> file = new Yaml().load(Files.readString(RULES));
        Map<String, Map<String, Object>> alerts = new LinkedHashMap<>();
        for (Map<String, Object> group : (List<Map<String, Object>>) file.get("groups")) {
            for (Map<String, Object> rule : (List<Map<String, Object>>) group.get("rules")) {
                alerts.put(rule.get("alert").toString(), rule);
            }
        }
        return alerts;
    }

    private static String quoted(String text) {
        return "'" + text.replace("'", "''") + "'";
    }

    private String promtool(String... arguments) throws IOException, InterruptedException {
        String named = System.getenv("DELAYQUEUE_TEST_PROMTOOL");
        List<String> command = new ArrayList<>();
        command.add(named == null || named.isBlank() ? "promtool" : named);
        command.addAll(List.of(arguments));
        Path output = folder.resolve("output");
        Process process;
        try {
            process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
        } catch (IOException ex) {
            throw new AssertionError(
                    "There is no promtool; install it (Debian: prometheus), or name it by DELAYQUEUE_TEST_PROMTOOL",
                    ex);
        }
        int exitCode = process.waitFor();
        String said = Files.readString(output);
        assertThat(exitCode).as(said).isZero();
        return said;
    }

    static class Handlers {

        @DelayQueueListener(queue = "orders")
        void handle(String payload) {
            assertThat(payload).isNotNull();
        }
    }
}
