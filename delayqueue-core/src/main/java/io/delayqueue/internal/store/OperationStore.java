// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import static io.delayqueue.internal.redis.RedisBytes.bytes;
import static io.delayqueue.internal.redis.RedisBytes.string;

import io.delayqueue.internal.redis.RedisBytes;
import io.delayqueue.internal.redis.Script;
import io.delayqueue.internal.redis.ScriptRequest;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/** Stores the operations of all queues in one hash ({@code dq:{operations}:operations}) that expires. */
public class OperationStore extends StoreRole {

    private static final int PARTS = 5;
    private static final byte[] SILENCE = bytes(OperationPut.SILENCE.toMillis());
    private static final byte[] KEPT = bytes(OperationPut.KEPT.toMillis());

    OperationStore(StoreParts parts) {
        super(parts);
    }

    /**
     * Records the progress of an operation, or claims it. A claim fails if another process has recorded the operation
     * since the caller read it.
     */
    public CompletableFuture<OperationPut.Answer> put(String handle, OperationPut put) {
        return scripts.<byte[]>run(ScriptRequest.of(
                        Script.OPERATION_PUT,
                        keys.operations(),
                        what(handle),
                        clock.bytes(),
                        bytes(handle),
                        bytes(put.act().name().toLowerCase(Locale.ROOT)),
                        bytes(put.runner()),
                        bytes(put.dryRun() ? 1 : 0),
                        SILENCE,
                        KEPT,
                        bytes(put.seen()),
                        bytes(put.content())))
                .thenApply(reply -> switch (string(reply)) {
                    case "G" -> OperationPut.Answer.GO_ON;
                    case "S" -> OperationPut.Answer.STOP;
                    case "L" -> OperationPut.Answer.LOST;
                    default -> throw RedisBytes.unexpected(what(handle));
                });
    }

    /** Asks a running operation to stop. Returns whether a process runs it. */
    public CompletableFuture<Boolean> stop(String handle) {
        return scripts.<Long>run(
                        ScriptRequest.of(Script.OPERATION_STOP, keys.operations(), what(handle), bytes(handle)))
                .thenApply(reply -> reply == 1);
    }

    /**
     * Reads operations.
     *
     * @param handle the handle of one operation; empty for all
     */
    public CompletableFuture<List<StoredOperation>> read(String handle) {
        return scripts.<List<Object>>run(ScriptRequest.of(
                        Script.OPERATIONS_READ, keys.operations(), what(handle), clock.bytes(), bytes(handle), SILENCE))
                .thenApply(reply -> IntStream.range(0, reply.size() / PARTS)
                        .mapToObj(i -> new StoredOperation(
                                string(reply.get(PARTS * i)),
                                string(reply.get(PARTS * i + 1)),
                                string(reply.get(PARTS * i + 2)).equals("1"),
                                string(reply.get(PARTS * i + 3)),
                                string(reply.get(PARTS * i + 4))))
                        .toList());
    }

    private static String what(String handle) {
        return handle.isEmpty() ? "Operations by filter" : "Operation by filter '" + handle + "'";
    }
}
