// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.redis;

import io.delayqueue.DueTime;
import io.delayqueue.store.Shard;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;

/** How values travel to and from scripts: numbers as decimal text, times in epoch milliseconds, text in UTF-8. */
final class Wire {

    private static final byte[] IN = bytes("in");
    private static final byte[] AT = bytes("at");

    private Wire() {}

    static byte[] bytes(long number) {
        return bytes(Long.toString(number));
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** How a due time is meant; nobody may write to the bytes. */
    static byte[] mode(DueTime due) {
        return due.relative() ? IN : AT;
    }

    static String string(Object bytes) {
        return new String((byte[]) bytes, StandardCharsets.UTF_8);
    }

    static long number(Object bytes) {
        return Long.parseLong(string(bytes));
    }

    static Instant instant(Object bytes) {
        return Instant.ofEpochMilli(number(bytes));
    }

    /** One answer for each task of a call. */
    static List<Boolean> verdicts(List<?> reply) {
        return reply.stream().map(verdict -> ((Long) verdict) == 1).toList();
    }

    /** Names a call, for messages. */
    static String what(String verb, Shard shard, String object) {
        return "Queue '" + shard.queue() + "', shard " + shard.index() + ", " + verb + " '" + object + "'";
    }
}
