// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.endpoint;

import io.delayqueue.control.AuditEntry;
import io.delayqueue.control.AuditListener;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.springframework.boot.actuate.audit.AuditEvent;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.context.ApplicationEventPublisher;

/**
 * Publishes audit entries as Spring Boot audit events, with types such as {@code DELAYQUEUE_CANCEL}. Spring Boot adds
 * them to the application's {@code AuditEventRepository} if there is one.
 */
public record AuditEvents(ApplicationEventPublisher events) implements AuditListener {

    @Override
    public void onChange(AuditEntry entry) {
        Map<String, Object> data = new LinkedHashMap<>(entry.details());
        data.put("queue", entry.queue());
        data.put("outcome", entry.outcome());
        data.put("count", entry.count());
        String type = "DELAYQUEUE_" + entry.action().toUpperCase(Locale.ROOT).replace('-', '_');
        events.publishEvent(new AuditApplicationEvent(new AuditEvent(entry.at(), entry.who(), type, data)));
    }
}
