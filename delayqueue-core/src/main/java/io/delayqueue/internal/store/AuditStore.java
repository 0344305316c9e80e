// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import static io.delayqueue.internal.redis.RedisBytes.bytes;

import io.delayqueue.internal.redis.Script;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Stores the audit entries of all queues in one stream ({@code dq:{audit}:audit}) of bounded length. */
public record AuditStore(StoreScripts scripts) {

    /** Number of entries to keep. */
    public static final int KEPT = 10_000;

    private static final String WHAT = "Audit entries";
    private static final int PARTS = 2;

    /** Adds an entry. */
    public CompletableFuture<Long> put(String entry) {
        return scripts.run(Script.AUDIT_PUT, scripts.keys().audit(), WHAT, bytes(KEPT), bytes(entry))
                .thenApply(reply -> reply.number(0));
    }

    /**
     * Reads entries, newest first.
     *
     * @param cursor id of the last entry that was read; empty to start
     * @param count maximum number of entries, at least 1
     */
    public CompletableFuture<List<Stored>> page(String cursor, int count) {
        return scripts.run(Script.AUDIT_PAGE, scripts.keys().audit(), WHAT, bytes(cursor), bytes(count))
                .thenApply(reply -> reply.rows(PARTS)
                        .map(row -> new Stored(row.text(0), row.text(1)))
                        .toList());
    }

    /**
     * An entry as stored.
     *
     * @param id the entry's id in the stream
     * @param entry the entry; empty if another program wrote it
     */
    public record Stored(String id, String entry) {}
}
