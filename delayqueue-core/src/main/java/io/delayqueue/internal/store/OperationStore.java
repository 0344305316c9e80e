// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import static io.delayqueue.internal.redis.RedisBytes.bytes;

import io.delayqueue.internal.redis.Script;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;

/** Stores the operations of all queues in one hash ({@code dq:{operations}:operations}) that expires. */
public record OperationStore(StoreScripts scripts) {

    private static final int PARTS = 5;
    private static final byte[] SILENCE = bytes(OperationPut.SILENCE.toMillis());
    private static final byte[] KEPT = bytes(OperationPut.KEPT.toMillis());

    /**
     * Records the progress of an operation, or claims it. A claim fails if another process has recorded the operation
     * since the caller read it.
     */
    public CompletableFuture<OperationPut.Answer> put(String handle, OperationPut put) {
        return scripts.run(
                        Script.OPERATION_PUT,
                        scripts.keys().operations(),
                        what(handle),
                        scripts.clock().bytes(),
                        bytes(handle),
                        bytes(put.act().name().toLowerCase(Locale.ROOT)),
                        bytes(put.runner()),
                        bytes(put.dryRun() ? 1 : 0),
                        SILENCE,
                        KEPT,
                        bytes(put.seen()),
                        bytes(put.content()))
                .thenApply(reply -> switch (reply.text(0)) {
                    case "G" -> OperationPut.Answer.GO_ON;
                    case "S" -> OperationPut.Answer.STOP;
                    case "L" -> OperationPut.Answer.LOST;
                    default -> throw reply.unexpected();
                });
    }

    /** Asks a running operation to stop. Returns whether a process runs it. */
    public CompletableFuture<Boolean> stop(String handle) {
        return scripts.run(Script.OPERATION_STOP, scripts.keys().operations(), what(handle), bytes(handle))
                .thenApply(reply -> reply.isTrue(0));
    }

    /**
     * Reads operations.
     *
     * @param handle the handle of one operation; empty for all
     */
    public CompletableFuture<List<StoredOperation>> read(String handle) {
        return scripts.run(
                        Script.OPERATIONS_READ,
                        scripts.keys().operations(),
                        what(handle),
                        scripts.clock().bytes(),
                        bytes(handle),
                        SILENCE)
                .thenApply(reply -> reply.rows(PARTS)
                        .map(row ->
                                new StoredOperation(row.text(0), row.text(1), row.isTrue(2), row.text(3), row.text(4)))
                        .toList());
    }

    private static String what(String handle) {
        return handle.isEmpty() ? "Operations by filter" : "Operation by filter '" + handle + "'";
    }
}
