// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.jdbc.OutboxStatistics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The outbox's alert rules, given to promtool together with what the meters export. */
class OutboxAlertsIntegrationTests {

    private static final Path RULES =
            Path.of("../ops/prometheus-rules-outbox.yml").toAbsolutePath().normalize();
    private static final Pattern NAME = Pattern.compile("delayqueue_outbox_\\w+");

    @TempDir
    Path folder;

    @Test
    void alertsWhenRowsFailForLongOrCallsWerePutAsideFireAndOtherwiseDoNot() throws Exception {
        Set<String> healthy = scrape(new OutboxStatistics(7, Duration.ZERO, Duration.ofSeconds(2), 0, Instant.EPOCH));
        Set<String> stuck = scrape(new OutboxStatistics(7, Duration.ZERO, Duration.ofMinutes(6), 0, Instant.EPOCH));
        Set<String> rejected = scrape(new OutboxStatistics(0, Duration.ZERO, Duration.ZERO, 1, Instant.EPOCH));
        assertThat(healthy.stream().map(sample -> sample.split(" ")[0]).collect(Collectors.toSet()))
                .containsAll(NAME.matcher(Files.readString(RULES))
                        .results()
                        .map(match -> match.group())
                        .toList());

        assertThat(fired(healthy)).isEmpty();
        assertThat(fired(stuck)).containsExactly("DelayqueueOutboxStuck");
        assertThat(fired(rejected)).containsExactly("DelayqueueOutboxRejected");
    }

    /**
     * Returns the alerts that promtool finds firing after ten minutes. For an alert that does not fire, a test that
     * expects none passes.
     */
    private List<String> fired(Set<String> samples) throws Exception {
        return Pattern.compile("alert: (\\w+)")
                .matcher(Files.readString(RULES))
                .results()
                .map(match -> match.group(1))
                .filter(alert -> !isSilent(alert, samples))
                .toList();
    }

    private boolean isSilent(String alert, Set<String> samples) {
        StringBuilder test = new StringBuilder("rule_files: ['" + RULES + "']\nevaluation_interval: 1m\ntests:\n"
                + "  - interval: 1m\n    input_series:\n");
        for (String sample : samples) {
            String[] parts = sample.split(" ");
            test.append("      - {series: '")
                    .append(parts[0])
                    .append("{job=\"shop\"}', values: '")
                    .append(parts[1])
                    .append("x20'}\n");
        }
        test.append("    alert_rule_test:\n      - {eval_time: 10m, alertname: ")
                .append(alert)
                .append(", exp_alerts: []}\n");
        try {
            String said = promtool(Files.writeString(folder.resolve("test.yml"), test));
            assertThat(said).containsAnyOf("SUCCESS", "alertname: " + alert);
            return said.contains("SUCCESS");
        } catch (IOException ex) {
            throw new AssertionError("There is no promtool; install it (Debian: prometheus)", ex);
        } catch (InterruptedException ex) {
            throw new AssertionError(ex);
        }
    }

    private String promtool(Path test) throws IOException, InterruptedException {
        String named = System.getenv("DELAYQUEUE_TEST_PROMTOOL");
        Path output = folder.resolve("output");
        new ProcessBuilder(named == null || named.isBlank() ? "promtool" : named, "test", "rules", test.toString())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start()
                .waitFor();
        return Files.readString(output);
    }

    private static Set<String> scrape(OutboxStatistics statistics) {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        new OutboxMeters(() -> true, () -> statistics, new Scheduler().worker()).bindTo(registry);
        Awaitility.await().until(() -> !registry.scrape().contains("NaN"));
        return registry.scrape()
                .lines()
                .filter(line -> line.startsWith("delayqueue_outbox_"))
                .collect(Collectors.toSet());
    }
}
