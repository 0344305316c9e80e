// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.codec;

import java.lang.reflect.Type;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Encodes and decodes payloads. The caller always specifies the target type; the stored bytes never determine it.
 * Implementations must be thread-safe. {@code String} and {@code byte[]} are stored unchanged and never reach a codec.
 *
 * <p>Other exceptions from a codec are converted to {@link io.delayqueue.PayloadConversionException}. A task with such
 * a payload becomes dead at once, and a listener container rejects the message. Implementations should limit the
 * nesting depth of payloads.
 */
public interface PayloadCodec {

    /** Returns the name with which a queue selects this codec, such as {@code json}. */
    String name();

    /** Returns the media type of encoded payloads, which is stored with the task. */
    String contentType();

    /**
     * Encodes a payload.
     *
     * @throws io.delayqueue.PayloadConversionException if the object cannot be written
     */
    byte[] encode(Object payload);

    /**
     * Decodes a payload.
     *
     * @throws io.delayqueue.PayloadConversionException if the bytes do not represent an object of this type
     */
    Object decode(byte[] payload, Type type);

    /**
     * Reads the fields of an object for a {@link PayloadUpgrade}, with nested objects as maps and lists. {@link
     * #encode} writes the result of the upgrade.
     *
     * @throws io.delayqueue.PayloadConversionException if the bytes are not an object
     */
    @SuppressWarnings("unchecked")
    default Map<String, Object> decodeFields(byte[] payload) {
        return (Map<String, Object>) decode(payload, LinkedHashMap.class);
    }
}
