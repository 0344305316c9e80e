// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import static io.delayqueue.internal.redis.RedisBytes.bytes;
import static io.delayqueue.internal.redis.RedisBytes.string;

import io.delayqueue.internal.redis.Script;
import io.delayqueue.internal.redis.ScriptRequest;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/** Stores the audit entries of all queues in one stream ({@code dq:{audit}:audit}) of bounded length. */
public class AuditStore extends StoreRole {

    /** Number of entries to keep. */
    public static final int KEPT = 10_000;

    private static final String WHAT = "Audit entries";
    private static final int PARTS = 2;

    AuditStore(StoreParts parts) {
        super(parts);
    }

    /** Adds an entry. */
    public CompletableFuture<Long> put(String entry) {
        return scripts.run(ScriptRequest.of(Script.AUDIT_PUT, keys.audit(), WHAT, bytes(KEPT), bytes(entry)));
    }

    /**
     * Reads entries, newest first.
     *
     * @param cursor id of the last entry that was read; empty to start
     * @param count maximum number of entries, at least 1
     */
    public CompletableFuture<List<Stored>> page(String cursor, int count) {
        return scripts.<List<Object>>run(
                        ScriptRequest.of(Script.AUDIT_PAGE, keys.audit(), WHAT, bytes(cursor), bytes(count)))
                .thenApply(reply -> IntStream.range(0, reply.size() / PARTS)
                        .mapToObj(i -> new Stored(string(reply.get(PARTS * i)), string(reply.get(PARTS * i + 1))))
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
