// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import io.delayqueue.TaskStoreException;
import io.delayqueue.internal.redis.IdEncoding;
import io.delayqueue.internal.redis.RedisBytes;
import io.delayqueue.internal.redis.ScriptRequest;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The reply of a script: numbers, texts and lists of such parts, which methods read by their index from 0.
 *
 * @param what description of the call, for messages
 * @param parts parts of the reply; a single one if the script does not return a list
 */
record Reply(String what, List<?> parts) {

    static Reply of(ScriptRequest request, Object answer) {
        return new Reply(request.what(), answer instanceof List<?> parts ? parts : List.of(answer));
    }

    boolean isEmpty() {
        return parts.isEmpty();
    }

    byte[] bytes(int part) {
        return (byte[]) parts.get(part);
    }

    String text(int part) {
        return RedisBytes.string(parts.get(part));
    }

    String id(int part) {
        return IdEncoding.of(bytes(part));
    }

    /** Returns whether a text is not empty. */
    boolean has(int part) {
        return bytes(part).length > 0;
    }

    /** Returns a number, which the script may have returned as text. */
    long number(int part) {
        return parts.get(part) instanceof Long number ? number : Long.parseLong(text(part));
    }

    int count(int part) {
        return (int) number(part);
    }

    boolean isTrue(int part) {
        return number(part) == 1;
    }

    /** Returns a time; null if the part is empty. */
    @Nullable
    Instant time(int part) {
        return has(part) ? Instant.ofEpochMilli(number(part)) : null;
    }

    Instant instant(int part) {
        return Instant.ofEpochMilli(number(part));
    }

    Reply list(int part) {
        return new Reply(what, (List<?>) parts.get(part));
    }

    /** Splits a list in which each entry has several parts. */
    Stream<Reply> rows(int width) {
        return IntStream.range(0, parts.size() / width)
                .mapToObj(row -> new Reply(what, parts.subList(row * width, (row + 1) * width)));
    }

    List<String> ids() {
        return rows(1).map(row -> row.id(0)).toList();
    }

    List<Long> numbers() {
        return rows(1).map(row -> row.number(0)).toList();
    }

    /** Returns for each part whether it is 1. */
    List<Boolean> verdicts() {
        return rows(1).map(row -> row.isTrue(0)).toList();
    }

    /** Returns the exception for a script that has run but whose reply is unknown. */
    TaskStoreException unexpected() {
        return new TaskStoreException(what + ": this version does not know the script's reply", true, null);
    }
}
