// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import io.delayqueue.control.AuditEntry;
import io.delayqueue.control.AuditListener;
import io.delayqueue.internal.calls.BoundedWait;
import io.delayqueue.internal.store.AuditStore;
import io.delayqueue.internal.store.AuditStore.Stored;
import io.delayqueue.internal.store.TaskStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stores the most recent audit entries of all processes in Redis. */
final class StoredAudit implements AuditListener {

    private static final Logger log = LoggerFactory.getLogger(StoredAudit.class);
    private static final Pattern POSITION = Pattern.compile("\\d{1,19}-\\d{1,19}");
    private static final int READ = 500;

    /** Maximum number of reads per call. A caller who may read only a few queues may therefore get short pages. */
    private static final int MOST_READS = 4;

    private final AuditStore store;
    private final BoundedWait wait;

    StoredAudit(TaskStore store) {
        this.store = store.audit();
        this.wait = new BoundedWait(store.callTimeout());
    }

    /** Stores the entry. Waits for Redis unless the change has failed, because Redis may then not answer. */
    @Override
    public void onChange(AuditEntry entry) {
        // Otherwise, a caller without permission could displace all other entries.
        if (entry.outcome().equals(AuditTrail.REFUSED)) {
            return;
        }
        CompletableFuture<Long> put = store.put(StoredJson.text(entry));
        if (!entry.outcome().startsWith(AuditTrail.FAILED)) {
            wait.answer(put, "Audit entry");
            return;
        }
        put.whenComplete((stored, failure) -> {
            if (failure != null) {
                log.warn("Could not store an audit entry in Redis: {}", entry, failure);
            }
        });
    }

    /**
     * Reads up to 2,000 entries, newest first.
     *
     * @param size maximum number of entries, 1 to 500
     * @param after the {@code next} of the previous page; null for the first
     */
    AuditPage page(Predicate<AuditEntry> shown, int size, @Nullable String after) {
        if (size < 1 || size > READ) {
            throw new IllegalArgumentException(
                    "A page holds 1 to " + READ + " entries, but the requested size is " + size);
        }
        if (after != null && !POSITION.matcher(after).matches()) {
            throw new IllegalArgumentException("'after' must be the 'next' of an earlier page");
        }
        List<AuditEntry> found = new ArrayList<>();
        String cursor = after == null ? "" : after;
        for (int reads = 0; reads < MOST_READS; reads++) {
            List<Stored> read = wait.answer(store.page(cursor, READ), "Audit entries");
            for (Stored stored : read) {
                AuditEntry entry = StoredJson.parse(stored.entry(), AuditEntry.class);
                if (entry != null && shown.test(entry)) {
                    if (found.size() == size) {
                        return new AuditPage(found, cursor);
                    }
                    found.add(entry);
                }
                cursor = stored.id();
            }
            if (read.size() < READ) {
                return new AuditPage(found, null);
            }
        }
        return new AuditPage(found, cursor);
    }
}
