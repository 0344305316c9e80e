// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.delayqueue.InvalidTaskIdException;
import io.delayqueue.LogLines;
import io.delayqueue.TaskStoreCorruptException;
import io.delayqueue.delivery.TaskContent;
import io.delayqueue.internal.redis.wake.LiveMembers;
import io.delayqueue.internal.sharding.QueueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Everything that is read from Redis, given any bytes. Seeds are in the resources; {@code scripts/fuzz} looks for more.
 */
class StoredBytesFuzzTests {

    private static final byte[] REQUEST_ID = new byte[16];

    @FuzzTest
    void envelope(byte[] bytes) {
        TaskContent content = EnvelopeFormat.decode(bytes);
        EnvelopeFormat.shardKey(bytes);
        if (content != null) {
            byte[] again = EnvelopeFormat.encode(REQUEST_ID, content);
            assertThat(EnvelopeFormat.decode(again)).usingRecursiveComparison().isEqualTo(content);
            assertThat(EnvelopeFormat.shardKey(again)).isEqualTo(content.shardKey());
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
        } catch (InvalidTaskIdException ex) {
            LogLines.assertPrintable(ex.getMessage());
        }
    }

    @FuzzTest
    void reason(byte[] bytes) {
        String reason = RedisBytes.reason(bytes);
        assertThat(reason == null).isEqualTo(bytes.length == 0);
        if (reason != null) {
            LogLines.assertPrintable(reason);
        }
    }

    @FuzzTest
    void layout(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        try {
            QueueLayout layout = QueueLayout.parse("orders", text);
            assertThat(QueueLayout.parse("orders", layout.format())).isEqualTo(layout);
            assertThat(layout.span()).isBetween(1, QueueLayout.MOST_SHARDS);
            assertThat(layout.homesOf(text)).allMatch(shard -> shard >= 0 && shard < layout.span());
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
