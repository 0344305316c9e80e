// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.codec;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.delayqueue.PayloadConversionException;
import java.io.IOException;
import java.lang.reflect.Type;
import org.msgpack.core.MessagePack;
import org.msgpack.core.MessagePackException;
import org.msgpack.core.MessageUnpacker;
import org.msgpack.jackson.dataformat.MessagePackMapper;
import org.msgpack.value.ValueType;

/**
 * MessagePack codec that uses the {@code jackson-dataformat-msgpack} library, which the application must add. Because
 * that library uses Jackson 2, this codec has its own mapper. Jackson's annotations work with both versions.
 */
public final class MessagePackPayloadCodec implements PayloadCodec {

    /** The name of this codec. */
    public static final String NAME = "msgpack";

    /** Maximum depth of nested arrays and maps, the same as Jackson's default for JSON. */
    static final int MAX_DEPTH = 500;

    private final ObjectMapper mapper;

    /**
     * Creates a codec with all Jackson 2 modules on the class path. Writes dates and durations as text, as in JSON,
     * because MessagePack rejects decimal fractions of nanoseconds. Ignores unknown fields, as in JSON, because
     * applications change while tasks are waiting.
     */
    public MessagePackPayloadCodec() {
        this(new MessagePackMapper()
                .findAndRegisterModules()
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
                .disable(SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS));
    }

    public MessagePackPayloadCodec(ObjectMapper mapper) {
        this.mapper = mapper;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String contentType() {
        return "application/msgpack";
    }

    @Override
    public byte[] encode(Object payload) {
        try {
            return mapper.writeValueAsBytes(payload);
        } catch (JsonProcessingException | IllegalArgumentException | MessagePackException ex) {
            // MessagePack throws an IllegalArgumentException for a number that is out of range
            throw new PayloadConversionException(
                    "A payload of " + payload.getClass() + " cannot be written as MessagePack; see the cause", ex);
        }
    }

    @Override
    public Object decode(byte[] payload, Type type) {
        try {
            checkStructure(payload);
            Object value = mapper.readValue(payload, mapper.constructType(type));
            if (value == null) {
                throw new PayloadConversionException("The stored payload is nil, not a " + type.getTypeName());
            }
            return value;
        } catch (IOException | MessagePackException ex) {
            throw new PayloadConversionException(
                    "The stored MessagePack payload cannot be read as " + type.getTypeName()
                            + ": " + ex.getClass().getSimpleName()
                            + ". Correct the type, or add what Jackson needs to read this payload");
        }
    }

    /**
     * Skips through the payload without building objects, so that deep nesting or a false length cannot exhaust the
     * stack or the memory.
     */
    private static void checkStructure(byte[] payload) throws IOException {
        long[] left = new long[MAX_DEPTH + 1];
        left[0] = 1;
        int depth = 0;
        try (MessageUnpacker unpacker = MessagePack.newDefaultUnpacker(payload)) {
            while (depth >= 0) {
                if (left[depth]-- == 0) {
                    depth--;
                    continue;
                }
                ValueType type = unpacker.getNextFormat().getValueType();
                if (type != ValueType.ARRAY && type != ValueType.MAP) {
                    unpacker.skipValue();
                    continue;
                }
                if (++depth > MAX_DEPTH) {
                    throw new PayloadConversionException(
                            "The stored MessagePack payload has more than " + MAX_DEPTH + " levels. Flatten it");
                }
                left[depth] =
                        (type == ValueType.ARRAY) ? unpacker.unpackArrayHeader() : 2L * unpacker.unpackMapHeader();
            }
        }
    }
}
