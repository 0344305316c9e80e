// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.codec;

import java.lang.reflect.Type;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Turns payload objects into bytes and back. The type to read is always given by the reader, never by the data. Called
 * by many threads at once. {@code String} and {@code byte[]} never reach a codec; they pass as they are.
 *
 * <p>Anything else that a codec throws is turned into a {@link io.delayqueue.PayloadConversionException}: a task with such a
 * payload is dead at once, and a listener container rejects the message. Limit the depth to which payloads nest.
 */
public interface PayloadCodec {

    /** The name by which a queue selects this codec, such as {@code json}. */
    String name();

    /** Media type of what {@link #encode} writes; it travels with the task. */
    String contentType();

    /** @throws io.delayqueue.PayloadConversionException if the object cannot be written */
    byte[] encode(Object payload);

    /** @throws io.delayqueue.PayloadConversionException if the bytes are not such an object */
    Object decode(byte[] payload, Type type);

    /**
     * Reads the fields of an object, nested ones as maps and lists, for a {@link PayloadUpgrade}. {@link #encode} writes what that
     * returns.
     *
     * @throws io.delayqueue.PayloadConversionException if the bytes are no object
     */
    @SuppressWarnings("unchecked")
    default Map<String, Object> decodeFields(byte[] payload) {
        return (Map<String, Object>) decode(payload, LinkedHashMap.class);
    }

    /**
     * Makes ready what decoding to a type takes the first time, such as its deserializer. Called for the type of each
     * handler, on a thread of its own, while the application starts; the first task may come before it has ended, and
     * what it throws is of no consequence.
     */
    default void prepare(Type type) {}
}
