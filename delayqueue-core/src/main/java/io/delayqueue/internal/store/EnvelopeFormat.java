// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import io.delayqueue.TaskContent;
import io.delayqueue.annotation.TaskHeaders;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The stored bytes of a task, version 1:
 * <pre>
 * byte      version, 1
 * byte      outcome of the schedule call that stored it: C, unless the script writes another one; lower case if the
 *           first header is dq-expires-after, so that scripts need not search for it
 * 16 bytes  request id
 * byte      content type: 1 JSON, 2 UTF-8 text, 3 bytes, 4 MessagePack, 0 another one, which follows as a string
 * varint    number of headers, then for each its name and its value as strings
 * ...       payload, to the end
 * </pre>
 *
 * <p>A string is its UTF-8 length in bytes as a varint (LEB128), then the bytes. A task without headers needs 20 bytes.
 */
public final class EnvelopeFormat {

    static final byte VERSION = 1;

    private static final byte CREATED = 'C';
    private static final byte CREATED_TO_EXPIRE = 'c';
    private static final int HEAD = 18;
    private static final Base64.Encoder TEXT = Base64.getUrlEncoder().withoutPadding();
    private static final List<String> CONTENT_TYPES = List.of(
            "", "application/json", "text/plain;charset=UTF-8", "application/octet-stream", "application/msgpack");

    private EnvelopeFormat() {}

    public static byte[] encode(byte[] requestId, TaskContent content) {
        List<byte[]> strings = new ArrayList<>(content.headers().size() * 2 + 1);
        int contentType = Math.max(0, CONTENT_TYPES.indexOf(content.contentType()));
        if (contentType == 0) {
            strings.add(content.contentType().getBytes(StandardCharsets.UTF_8));
        }
        int headers = content.headers().size();
        String expiresAfter = content.headers().get(TaskHeaders.EXPIRES_AFTER);
        if (expiresAfter != null) {
            strings.add(TaskHeaders.EXPIRES_AFTER.getBytes(StandardCharsets.UTF_8));
            strings.add(expiresAfter.getBytes(StandardCharsets.UTF_8));
        }
        content.headers().forEach((name, value) -> {
            if (!name.equals(TaskHeaders.EXPIRES_AFTER)) {
                strings.add(name.getBytes(StandardCharsets.UTF_8));
                strings.add(value.getBytes(StandardCharsets.UTF_8));
            }
        });
        int size = HEAD + 1 + varintSize(headers) + content.payload().length;
        for (byte[] string : strings) {
            size += varintSize(string.length) + string.length;
        }
        ByteBuffer out = ByteBuffer.allocate(size);
        out.put(VERSION)
                .put(expiresAfter == null ? CREATED : CREATED_TO_EXPIRE)
                .put(requestId, 0, 16)
                .put((byte) contentType);
        int next = 0;
        if (contentType == 0) {
            putString(out, strings.get(next++));
        }
        putVarint(out, headers);
        while (next < strings.size()) {
            putString(out, strings.get(next++));
        }
        out.put(content.payload());
        return out.array();
    }

    /** Returns a content type as stored in an envelope. */
    static byte[] contentType(String contentType) {
        int code = Math.max(0, CONTENT_TYPES.indexOf(contentType));
        if (code > 0) {
            return new byte[] {(byte) code};
        }
        byte[] text = contentType.getBytes(StandardCharsets.UTF_8);
        ByteBuffer out = ByteBuffer.allocate(1 + varintSize(text.length) + text.length);
        out.put((byte) 0);
        putString(out, text);
        return out.array();
    }

    /** Returns a header as stored in an envelope. */
    static byte[] header(String name, String value) {
        byte[] nameText = name.getBytes(StandardCharsets.UTF_8);
        byte[] valueText = value.getBytes(StandardCharsets.UTF_8);
        ByteBuffer out = ByteBuffer.allocate(
                varintSize(nameText.length) + nameText.length + varintSize(valueText.length) + valueText.length);
        putString(out, nameText);
        putString(out, valueText);
        return out.array();
    }

    /** Returns null if the bytes are not a valid envelope. */
    static @Nullable TaskContent decode(byte[] envelope) {
        if (envelope.length < HEAD + 2 || envelope[0] != VERSION) {
            return null;
        }
        try {
            ByteBuffer in = ByteBuffer.wrap(envelope, HEAD, envelope.length - HEAD);
            int code = in.get();
            if (code < 0 || code >= CONTENT_TYPES.size()) {
                return null;
            }
            String contentType = (code == 0) ? getString(in) : CONTENT_TYPES.get(code);
            int count = getVarint(in);
            if (count > in.remaining() / 2) {
                return null;
            }
            Map<String, String> headers = count == 0 ? Map.of() : new LinkedHashMap<>();
            for (int i = 0; i < count; i++) {
                headers.put(getString(in), getString(in));
            }
            byte[] payload = new byte[in.remaining()];
            in.get(payload);
            return new TaskContent(contentType, headers, payload);
        } catch (BufferUnderflowException | IllegalArgumentException ex) {
            return null;
        }
    }

    /** Returns the request id as text, URL-safe base 64 of 22 characters; empty if the bytes have none. */
    static String taskKey(byte[] envelope) {
        if (envelope.length < HEAD || envelope[0] != VERSION) {
            return "";
        }
        return TEXT.encodeToString(Arrays.copyOfRange(envelope, 2, HEAD));
    }

    private static void putString(ByteBuffer out, byte[] string) {
        putVarint(out, string.length);
        out.put(string);
    }

    private static String getString(ByteBuffer in) {
        int length = getVarint(in);
        if (length > in.remaining()) {
            throw new BufferUnderflowException();
        }
        String string = new String(in.array(), in.arrayOffset() + in.position(), length, StandardCharsets.UTF_8);
        in.position(in.position() + length);
        return string;
    }

    private static int varintSize(int value) {
        return (31 - Integer.numberOfLeadingZeros(value | 1)) / 7 + 1;
    }

    private static void putVarint(ByteBuffer out, int value) {
        int rest = value;
        while (rest > 0x7f) {
            out.put((byte) (rest & 0x7f | 0x80));
            rest >>>= 7;
        }
        out.put((byte) rest);
    }

    private static int getVarint(ByteBuffer in) {
        int value = 0;
        for (int shift = 0; shift <= 28; shift += 7) {
            byte b = in.get();
            value |= (b & 0x7f) << shift;
            if (b >= 0) {
                if (value < 0) {
                    break;
                }
                return value;
            }
        }
        throw new IllegalArgumentException("a length is too large");
    }
}
