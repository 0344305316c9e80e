// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import io.delayqueue.UnknownQueueException;
import io.delayqueue.control.AuditEntry;
import io.delayqueue.control.AuditListener;
import io.delayqueue.control.Caller;
import io.delayqueue.control.QueuePermission;
import io.delayqueue.internal.concurrent.Guard;
import io.delayqueue.internal.input.PrintableText;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes changes for callers with permission, and records the outcomes. */
final class AuditTrail {

    private static final Logger log = LoggerFactory.getLogger(AuditTrail.class);
    private static final int LONGEST = 300;

    static final String FAILED = "failed: ";

    /** The outcome of a change that the caller may not make. */
    static final String REFUSED = "refused";

    private final Permissions permissions;
    private final List<AuditListener> listeners;

    AuditTrail(Permissions permissions, List<AuditListener> listeners) {
        this.permissions = permissions;
        this.listeners = List.copyOf(listeners);
    }

    record Outcome(String text, long count) {

        static Outcome of(Enum<?> outcome) {
            return new Outcome(outcome.name(), outcome.name().equals("NOT_FOUND") ? 0 : 1);
        }

        static Outcome of(boolean done) {
            return done ? new Outcome("done", 1) : new Outcome("NOT_FOUND", 0);
        }
    }

    record Change(Caller caller, String action, String queue, Map<String, String> details) {}

    /** Checks the permission, makes the change and records it, even if it is refused or fails. */
    <T> T make(Change change, Supplier<T> action, Function<T, Outcome> outcome) {
        return make(change, QueuePermission.OPERATE, action, outcome);
    }

    /** Makes a change that requires the given permission. */
    <T> T make(Change change, QueuePermission needed, Supplier<T> action, Function<T, Outcome> outcome) {
        T answer;
        try {
            permissions.require(change.caller(), change.queue(), needed);
            answer = action.get();
        } catch (AccessRefusedException | UnknownQueueException ex) {
            write(change, new Outcome(REFUSED, 0));
            throw ex;
        } catch (RuntimeException ex) {
            write(change, new Outcome(FAILED + ex.getMessage(), 0));
            throw ex;
        }
        write(change, outcome.apply(answer));
        return answer;
    }

    void write(Change change, Outcome outcome) {
        Map<String, String> details = new LinkedHashMap<>();
        change.details().forEach((name, value) -> details.put(name, PrintableText.line(value, LONGEST)));
        AuditEntry entry = new AuditEntry(
                Instant.now(),
                PrintableText.of(change.caller().name(), LONGEST),
                change.action(),
                PrintableText.of(change.queue(), LONGEST),
                details,
                PrintableText.line(outcome.text(), LONGEST),
                outcome.count());
        for (AuditListener listener : listeners) {
            Guard.run(log, "Could not write an audit entry: " + entry, () -> listener.onChange(entry));
        }
    }
}
