// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.delayqueue.control.AuditEntry;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.springframework.boot.logging.logback.StructuredLogEncoder;
import org.springframework.core.env.Environment;
import org.springframework.core.env.StandardEnvironment;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class AuditLogTests {

    private static ILoggingEvent logged(AuditEntry entry) {
        Logger log = (Logger) LoggerFactory.getLogger("io.delayqueue.audit");
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        log.addAppender(lines);
        try {
            new AuditLog().onChange(entry);
        } finally {
            log.detachAppender(lines);
        }
        assertThat(lines.list).hasSize(1);
        return lines.list.get(0);
    }

    @Test
    void entryWhenLoggedIsASentenceAndItsPartsInTheElasticCommonSchema() {
        ILoggingEvent line = logged(
                new AuditEntry(Instant.EPOCH, "ada", "cancel", "orders", Map.of("id", "order-42"), "CANCELLED", 1));

        assertThat(line.getFormattedMessage())
                .isEqualTo("Audit: ada requested cancel on queue 'orders' {id=order-42}: CANCELLED, 1 task(s) "
                        + "changed");
        LoggerContext context = new LoggerContext();
        context.putObject(Environment.class.getName(), new StandardEnvironment());
        StructuredLogEncoder encoder = new StructuredLogEncoder();
        encoder.setContext(context);
        encoder.setFormat("ecs");
        encoder.start();
        String json = new String(encoder.encode(line), StandardCharsets.UTF_8);
        JsonNode audit = new JsonMapper().readTree(json).path("delayqueue").path("audit");
        assertThat(audit.path("who").asString()).as(json).isEqualTo("ada");
        assertThat(audit.path("action").asString()).isEqualTo("cancel");
        assertThat(audit.path("queue").asString()).isEqualTo("orders");
        assertThat(audit.path("id").asString()).isEqualTo("order-42");
        assertThat(audit.path("outcome").asString()).isEqualTo("CANCELLED");
        assertThat(audit.path("count").asInt()).isEqualTo(1);
    }
}
