// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import io.delayqueue.TaskContent;
import io.delayqueue.annotation.TaskHeaders;
import java.io.ByteArrayOutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
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
    private static final int ROOM = 256;

    private static final Base64.Encoder TEXT = Base64.getUrlEncoder().withoutPadding();
    private static final List<String> CONTENT_TYPES = List.of(
            "", "application/json", "text/plain;charset=UTF-8", "application/octet-stream", "application/msgpack");

    private EnvelopeFormat() {}

    public static byte[] encode(byte[] requestId, TaskContent content) {
        Map<String, String> headers = content.headers();
        String expiresAfter = headers.get(TaskHeaders.EXPIRES_AFTER);
        ByteArrayOutputStream out = new ByteArrayOutputStream(ROOM + content.payload().length);
        out.write(VERSION);
        out.write(expiresAfter == null ? CREATED : CREATED_TO_EXPIRE);
        out.write(requestId, 0, 16);
        putContentType(out, content.contentType());
        putVarint(out, headers.size());
        if (expiresAfter != null) {
            putHeader(out, TaskHeaders.EXPIRES_AFTER, expiresAfter);
        }
        headers.forEach((name, value) -> {
            if (!name.equals(TaskHeaders.EXPIRES_AFTER)) {
                putHeader(out, name, value);
            }
        });
        out.writeBytes(content.payload());
        return out.toByteArray();
    }

    static byte[] contentType(String contentType) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        putContentType(out, contentType);
        return out.toByteArray();
    }

    /** Decodes an envelope; returns null if the bytes are not a valid one. */
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

    /** Returns the request id in URL-safe base 64 (22 characters); empty if the bytes have none. */
    static String taskKey(byte[] envelope) {
        if (envelope.length < HEAD || envelope[0] != VERSION) {
            return "";
        }
        return TEXT.encodeToString(Arrays.copyOfRange(envelope, 2, HEAD));
    }

    private static void putContentType(ByteArrayOutputStream out, String contentType) {
        int code = Math.max(0, CONTENT_TYPES.indexOf(contentType));
        out.write(code);
        if (code == 0) {
            putString(out, contentType);
        }
    }

    private static void putHeader(ByteArrayOutputStream out, String name, String value) {
        putString(out, name);
        putString(out, value);
    }

    private static void putString(ByteArrayOutputStream out, String string) {
        byte[] bytes = string.getBytes(StandardCharsets.UTF_8);
        putVarint(out, bytes.length);
        out.writeBytes(bytes);
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

    private static void putVarint(ByteArrayOutputStream out, int value) {
        int rest = value;
        while (rest > 0x7f) {
            out.write(rest & 0x7f | 0x80);
            rest >>>= 7;
        }
        out.write(rest);
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
