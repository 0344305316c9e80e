// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.endpoint;

import io.delayqueue.control.AuditEntry;
import io.delayqueue.control.AuditListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Writes audit entries to the log {@code io.delayqueue.audit}, as a sentence and as key-value pairs. Spring Boot's
 * structured logging (such as {@code logging.structured.format.console=ecs}) writes the pairs as fields.
 */
public final class AuditLog implements AuditListener {

    private static final Logger log = LoggerFactory.getLogger("io.delayqueue.audit");

    @Override
    public void onChange(AuditEntry entry) {
        LoggingEventBuilder line = log.atInfo()
                .addKeyValue("delayqueue.audit.who", entry.who())
                .addKeyValue("delayqueue.audit.action", entry.action())
                .addKeyValue("delayqueue.audit.queue", entry.queue())
                .addKeyValue("delayqueue.audit.outcome", entry.outcome())
                .addKeyValue("delayqueue.audit.count", entry.count());
        for (var detail : entry.details().entrySet()) {
            line = line.addKeyValue("delayqueue.audit." + detail.getKey(), detail.getValue());
        }
        line.log(
                "Audit: {} requested {} on queue '{}' {}: {}, {} task(s) changed",
                entry.who(),
                entry.action(),
                entry.queue(),
                entry.details(),
                entry.outcome(),
                entry.count());
    }
}
