// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.codec;

import io.delayqueue.EncodedPayload;
import io.delayqueue.PayloadConversionException;
import io.delayqueue.annotation.PayloadVersion;
import io.delayqueue.codec.PayloadCodec;
import io.delayqueue.codec.PayloadUpgrade;
import io.delayqueue.internal.input.UnicodeText;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.springframework.core.annotation.AnnotationUtils;

/**
 * All codecs of an application. Encodes with the queue's codec and decodes with the codec of the task's content type. A
 * queue can therefore change its codec while tasks wait.
 */
public final class PayloadCodecs {

    static final String TEXT = "text/plain;charset=UTF-8";
    static final String BYTES = "application/octet-stream";

    private final Map<String, PayloadCodec> byName = new LinkedHashMap<>();
    private final Map<String, PayloadCodec> byContentType = new LinkedHashMap<>();

    private final PayloadUpgrades upgrades;

    /** Creates codecs without upgrades. */
    public PayloadCodecs(Collection<? extends PayloadCodec> codecs) {
        this(codecs, List.of());
    }

    /**
     * Creates the codecs of an application. If two have the same name or content type, the first wins.
     *
     * @throws io.delayqueue.DelayQueueException if the upgrades of a class do not lead to its version step by step
     */
    public PayloadCodecs(Collection<? extends PayloadCodec> codecs, Collection<PayloadUpgrade> upgrades) {
        this.upgrades = new PayloadUpgrades(upgrades);
        for (PayloadCodec codec : codecs) {
            byName.putIfAbsent(codec.name(), codec);
            byContentType.putIfAbsent(codec.contentType(), codec);
        }
    }

    public Set<String> names() {
        return byName.keySet();
    }

    /** Encodes a payload with the named codec, unless it is already encoded. */
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
                    "There is no payload codec named '" + codecName + "'. Available: " + byName.keySet());
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

    /** Returns the exception if the payload caused it. Rethrows conversion errors and out-of-memory errors. */
    private static Throwable causedByPayload(Throwable thrown) {
        if (thrown instanceof PayloadConversionException ex) {
            throw ex;
        }
        if (thrown instanceof VirtualMachineError error && !(thrown instanceof StackOverflowError)) {
            throw error;
        }
        return thrown;
    }

    /** Encodes text. Rejects text that UTF-8 cannot encode. Java would replace it with question marks. */
    private static byte[] utf8(String text) {
        if (!UnicodeText.isValid(text)) {
            throw new PayloadConversionException(
                    "The text payload is not valid Unicode (unpaired surrogate). Pass arbitrary data " + "as byte[]");
        }
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Decodes to the requested type. For {@code Object}, the codec chooses the type. If the content type has no codec,
     * returns text or bytes.
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
            throw new PayloadConversionException("No payload codec converts the content type " + contentType + " to "
                    + type.getTypeName() + ". Ask for a "
                    + (isBinary(contentType) ? "byte[]" : "String or a byte[]") + ", or add a codec bean");
        }
        try {
            return codec.decode(payload, type);
        } catch (Throwable ex) {
            throw new PayloadConversionException("The stored payload cannot be read as " + type.getTypeName()
                    + " by the codec '" + codec.name() + "': "
                    + causedByPayload(ex).getClass().getName());
        }
    }

    /** Returns the {@link PayloadVersion} of a class; 0 if it has none. */
    public static int statedVersion(Class<?> payload) {
        PayloadVersion stated = AnnotationUtils.findAnnotation(payload, PayloadVersion.class);
        return (stated == null) ? 0 : stated.value();
    }

    /**
     * Returns whether a payload has a newer version than its target type. Types of the JDK and of Jackson, such as maps
     * and text, accept any version.
     *
     * @param headers the headers of the task
     */
    public boolean isNewer(Map<String, String> headers, Type type) {
        return upgrades.isNewer(headers, type);
    }

    /**
     * Decodes a payload of any supported version, after the necessary upgrades.
     *
     * @param headers the headers of the task
     * @throws PayloadConversionException if the payload cannot be decoded, for example because its version is newer or
     *     has no upgrade
     */
    public Object decode(byte[] payload, String contentType, Map<String, String> headers, Type type) {
        List<PayloadUpgrade> steps = upgrades.before(headers, type);
        if (steps.isEmpty()) {
            return decode(payload, contentType, type);
        }
        PayloadCodec codec = byContentType.get(contentType);
        if (codec == null) {
            throw new PayloadConversionException("A PayloadUpgrade needs a payload codec for the content type "
                    + contentType + ", and there is none. Add a codec bean");
        }
        return decode(upgraded(payload, codec, steps), contentType, type);
    }

    private static byte[] upgraded(byte[] payload, PayloadCodec codec, List<PayloadUpgrade> steps) {
        String step = "read its fields";
        try {
            Map<String, Object> fields = codec.decodeFields(payload);
            for (PayloadUpgrade upgrade : steps) {
                step = "turn version " + upgrade.from() + " of "
                        + upgrade.type().getName() + " into the next";
                fields = Objects.requireNonNull(upgrade.step().apply(fields), "The upgrade has returned null");
            }
            step = "write its fields";
            return codec.encode(fields);
        } catch (Throwable ex) {
            throw new PayloadConversionException("The stored payload could not be upgraded. The attempt to " + step
                    + " failed: " + causedByPayload(ex).getClass().getName());
        }
    }

    private static boolean isBinary(String contentType) {
        return !contentType.startsWith("text/") && !contentType.equals("application/json");
    }
}
