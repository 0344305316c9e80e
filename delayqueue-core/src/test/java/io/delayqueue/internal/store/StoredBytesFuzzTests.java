// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.delayqueue.InvalidTaskException;
import io.delayqueue.LogLines;
import io.delayqueue.TaskContent;
import io.delayqueue.TaskStoreCorruptException;
import io.delayqueue.annotation.TaskHeaders;
import io.delayqueue.internal.redis.IdEncoding;
import io.delayqueue.internal.redis.RedisBytes;
import io.delayqueue.internal.redis.wake.LiveMembers;
import io.delayqueue.internal.sharding.Sharding;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Everything that is read from Redis, given any bytes. Seeds are in the resources; {@code scripts/fuzz} looks for more.
 */
class StoredBytesFuzzTests {

    private static final byte[] REQUEST_ID = new byte[16];

    @FuzzTest
    void envelope(byte[] bytes) {
        TaskContent content = EnvelopeFormat.decode(bytes);
        if (content != null) {
            byte[] again = EnvelopeFormat.encode(REQUEST_ID, content);
            assertThat(EnvelopeFormat.decode(again)).usingRecursiveComparison().isEqualTo(content);
        }
    }

    /** The values of three headers, a line each. */
    @FuzzTest
    void timing(byte[] bytes) {
        String[] lines = new String(bytes, StandardCharsets.UTF_8).split("\n", -1);
        String[] names = {TaskHeaders.EXPIRES_AFTER, TaskHeaders.WINDOW, TaskHeaders.LOCAL_TIME};
        Map<String, String> headers = new HashMap<>();
        for (int i = 0; i < Math.min(names.length, lines.length); i++) {
            if (!lines[i].isEmpty()) {
                headers.put(names[i], lines[i]);
            }
        }
        try {
            TimingHeaders timing = TimingHeaders.of(headers);
            assertThat(TimingHeaders.of(timing.addTo(Map.of()))).isEqualTo(timing);
            if (timing.window() != null && timing.window().calendar() == null) {
                timing.window().nextOpening(Instant.EPOCH, Map.of());
            }
            if (timing.localTime() != null) {
                timing.localTime().toInstant();
            }
        } catch (IllegalArgumentException ex) {
            LogLines.assertPrintable(String.valueOf(ex.getMessage()));
        }
    }

    /**
     * The folder of a class's seeds follows from its package: a class that moved without them would be tested without
     * seeds.
     */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "internal.store.StoredBytesFuzzTests",
                "internal.redis.StoredRecordsFuzzIntegrationTests",
                "internal.codec.PayloadFuzzTests"
            })
    void seedsAreThereForEachTarget(String name) throws ClassNotFoundException {
        Class<?> tests = Class.forName("io.delayqueue." + name);
        for (Method method : tests.getDeclaredMethods()) {
            if (method.isAnnotationPresent(FuzzTest.class)) {
                String seeds = tests.getSimpleName() + "Inputs/" + method.getName();
                assertThat(tests.getResource(seeds))
                        .as("%s of %s", seeds, tests)
                        .isNotNull();
            }
        }
    }

    @FuzzTest
    void id(byte[] bytes) {
        assertThat(IdEncoding.bytes(IdEncoding.of(bytes))).isEqualTo(bytes);
        String text = new String(bytes, StandardCharsets.UTF_16BE);
        try {
            byte[] stored = IdEncoding.bytes(text);
            if (text.codePoints().noneMatch(c -> Character.getType(c) == Character.SURROGATE)) {
                assertThat(stored).isEqualTo(text.getBytes(StandardCharsets.UTF_8));
            }
        } catch (InvalidTaskException ex) {
            LogLines.assertPrintable(ex.getMessage());
        }
    }

    @FuzzTest
    void reason(byte[] bytes) {
        String reason = RedisBytes.reason(RedisBytes.string(bytes));
        assertThat(reason == null).isEqualTo(bytes.length == 0);
        if (reason != null) {
            LogLines.assertPrintable(reason);
        }
    }

    @FuzzTest
    void sharding(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        try {
            Sharding sharding = Sharding.parse("orders", text);
            assertThat(Sharding.parse("orders", sharding.format())).isEqualTo(sharding);
            assertThat(sharding.span()).isBetween(1, Sharding.MOST_SHARDS);
            assertThat(sharding.homesOf(text)).allMatch(shard -> shard >= 0 && shard < sharding.span());
        } catch (TaskStoreCorruptException ex) {
            LogLines.assertPrintable(ex.getMessage());
        }
    }

    @FuzzTest
    void wakeMessage(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        LiveMembers.Message message = LiveMembers.Message.parse(text);
        if (message != null) {
            assertThat(message).hasToString(text);
            LiveMembers members = new LiveMembers("self", () -> 0);
            members.alive(message.text(), 1);
            assertThat(Arrays.asList(true, false)).contains(members.owns(bytes.length));
        }
    }
}
