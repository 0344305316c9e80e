// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import io.delayqueue.Due;
import io.delayqueue.internal.input.PrintableText;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Encodes values for scripts: numbers as decimal text, times in epoch milliseconds, text in UTF-8. */
public final class RedisBytes {

    /** Maximum length of a reason in a log line; no delivery stores a longer one. */
    private static final int LONGEST_REASON = 300;

    private RedisBytes() {}

    public static byte[] bytes(long number) {
        return bytes(Long.toString(number));
    }

    public static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Returns the time in epoch ms, or nothing for null. */
    public static byte[] optional(@Nullable Instant time) {
        return time == null ? new byte[0] : bytes(time.toEpochMilli());
    }

    public static byte[] due(Due due) {
        return bytes(dueText(due));
    }

    /** Returns epoch milliseconds, or a delay in milliseconds after a plus sign. */
    public static String dueText(Due due) {
        return (due.relative() ? "+" : "") + due.millis();
    }

    /** Returns the arguments of a call: first the arguments that apply to all its tasks, then the ids. */
    public static byte[][] withIds(List<String> ids, byte[]... first) {
        byte[][] args = Arrays.copyOf(first, first.length + ids.size());
        for (int i = 0; i < ids.size(); i++) {
            args[first.length + i] = IdEncoding.bytes(ids.get(i));
        }
        return args;
    }

    /** Returns the last reason of an attempts record, sanitized for a log line; null if there is none. */
    public static @Nullable String reason(String reason) {
        if (reason.isEmpty()) {
            return null;
        }
        boolean ours = reason.length() <= LONGEST_REASON && reason.chars().allMatch(c -> c >= 0x20 && c < 0x7f);
        return ours ? reason : PrintableText.of(reason, LONGEST_REASON);
    }

    public static String string(Object bytes) {
        return new String((byte[]) bytes, StandardCharsets.UTF_8);
    }
}
