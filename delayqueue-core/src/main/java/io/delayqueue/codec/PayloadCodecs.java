// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.codec;

import io.delayqueue.EncodedPayload;
import io.delayqueue.PayloadConversionException;
import io.delayqueue.internal.input.UnicodeText;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * All codecs of an application. Writes with the one that a queue selects and reads with the one that the task's content
 * type names, so a queue's codec may change while tasks wait.
 */
public final class PayloadCodecs {

    static final String TEXT = "text/plain;charset=UTF-8";
    static final String BYTES = "application/octet-stream";

    private final Map<String, PayloadCodec> byName = new LinkedHashMap<>();
    private final Map<String, PayloadCodec> byContentType = new LinkedHashMap<>();

    /** If two codecs have the same name or content type, the first wins. */
    public PayloadCodecs(Collection<? extends PayloadCodec> codecs) {
        for (PayloadCodec codec : codecs) {
            byName.putIfAbsent(codec.name(), codec);
            byContentType.putIfAbsent(codec.contentType(), codec);
        }
    }

    /** The names that a queue may select. */
    public Set<String> names() {
        return byName.keySet();
    }

    /** Encodes with the named codec what is not encoded yet. */
    public EncodedPayload encode(Object payload, String codecName) {
        if (payload instanceof EncodedPayload encoded) {
            return new EncodedPayload(encoded.contentType(), encoded.bytes().clone());
        }
        if (payload instanceof byte[] bytes) {
            return new EncodedPayload(BYTES, bytes.clone());
        }
        if (payload instanceof String text) {
            return new EncodedPayload(TEXT, utf8(text));
        }
        PayloadCodec codec = byName.get(codecName);
        if (codec == null) {
            throw new PayloadConversionException(
                    "There is no payload codec named '" + codecName + "'; known are " + byName.keySet());
        }
        try {
            return new EncodedPayload(codec.contentType(), codec.encode(payload));
        } catch (Throwable ex) {
            throw new PayloadConversionException(
                    "A payload of " + payload.getClass() + " cannot be written by the codec '" + codecName
                            + "'; see the cause",
                    causedByPayload(ex));
        }
    }

    /** Returns what a codec threw because of a payload. Throws a conversion error as it is, and a lack of memory. */
    private static Throwable causedByPayload(Throwable thrown) {
        if (thrown instanceof PayloadConversionException ex) {
            throw ex;
        }
        if (thrown instanceof VirtualMachineError error && !(thrown instanceof StackOverflowError)) {
            throw error;
        }
        return thrown;
    }

    /**
     * Refuses what it cannot encode instead of writing question marks, so that what is delivered is what was scheduled.
     */
    private static byte[] utf8(String text) {
        if (!UnicodeText.isValid(text)) {
            throw new PayloadConversionException(
                    "The text that is the payload is not valid Unicode (a lone surrogate). Give arbitrary data as byte[]");
        }
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Decodes to the type that the reader asks for. As an {@code Object} a payload is what its codec makes of it, or else
     * text or bytes.
     *
     * @throws PayloadConversionException if the content type has no codec or the bytes do not fit the type
     */
    public Object decode(byte[] payload, String contentType, Type type) {
        if (type == byte[].class) {
            return payload.clone();
        }
        if (type == EncodedPayload.class) {
            return new EncodedPayload(contentType, payload.clone());
        }
        if (type == String.class && !isBinary(contentType)) {
            return new String(payload, StandardCharsets.UTF_8);
        }
        PayloadCodec codec = byContentType.get(contentType);
        if (codec == null && type == Object.class) {
            return isBinary(contentType) ? payload.clone() : new String(payload, StandardCharsets.UTF_8);
        }
        if (codec == null) {
            throw new PayloadConversionException("No payload codec reads the content type " + contentType + " as "
                    + type.getTypeName() + "; ask for " + (isBinary(contentType) ? "byte[]" : "String or byte[]")
                    + ", or add a codec bean");
        }
        try {
            return codec.decode(payload, type);
        } catch (Throwable ex) {
            throw new PayloadConversionException("The stored payload cannot be read as " + type.getTypeName()
                    + " by the codec '" + codec.name() + "': "
                    + causedByPayload(ex).getClass().getName());
        }
    }

    /**
     * Makes ready what decoding to a type takes the first time.
     *
     * @param codecName of the codec that most payloads of this type were written with
     */
    public void prepare(Type type, String codecName) {
        PayloadCodec codec = byName.get(codecName);
        if (codec != null && type != String.class && type != byte[].class && type != EncodedPayload.class) {
            codec.prepare(type);
        }
    }

    private static boolean isBinary(String contentType) {
        return !contentType.startsWith("text/") && !contentType.equals("application/json");
    }
}
