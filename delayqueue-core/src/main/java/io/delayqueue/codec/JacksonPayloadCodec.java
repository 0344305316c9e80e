// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.codec;

import io.delayqueue.PayloadConversionException;
import io.delayqueue.internal.input.PrintableText;
import java.lang.reflect.Type;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

/** JSON codec with Jackson 3. Uses the application's mapper unchanged, including its modules and formats. */
public final class JacksonPayloadCodec implements PayloadCodec {

    /** The name of this codec. */
    public static final String NAME = "json";

    private final JsonMapper mapper;

    public JacksonPayloadCodec(JsonMapper mapper) {
        this.mapper = mapper;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String contentType() {
        return "application/json";
    }

    @Override
    public byte[] encode(Object payload) {
        try {
            return mapper.writeValueAsBytes(payload);
        } catch (JacksonException ex) {
            throw new PayloadConversionException(
                    "A payload of " + payload.getClass() + " cannot be written as JSON; see the cause", ex);
        }
    }

    @Override
    public Object decode(byte[] payload, Type type) {
        return decode(payload, type, mapper.reader());
    }

    /** Keeps all digits of numbers. */
    @Override
    @SuppressWarnings("unchecked")
    public Map<String, Object> decodeFields(byte[] payload) {
        return (Map<String, Object>) decode(
                payload, LinkedHashMap.class, mapper.reader().with(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS));
    }

    private Object decode(byte[] payload, Type type, ObjectReader reader) {
        try {
            Object value = reader.forType(mapper.constructType(type)).readValue(payload);
            if (value == null) {
                throw new PayloadConversionException("The stored payload is JSON null, not a " + type.getTypeName());
            }
            return value;
        } catch (JacksonException ex) {
            TokenStreamLocation at = ex.getLocation();
            throw new PayloadConversionException(
                    "The stored JSON payload cannot be read as " + type.getTypeName() + ": "
                            + ex.getClass().getSimpleName()
                            + (at == null ? "" : " at line " + at.getLineNr() + ", column " + at.getColumnNr())
                            + property(ex.getPath())
                            + ". Correct the type, or add what Jackson needs to read this payload");
        }
    }

    /**
     * Returns the last property on the path to the unreadable value. Does not show map keys, because they are content.
     */
    private static String property(List<JacksonException.Reference> path) {
        for (int i = path.size() - 1; i >= 0; i--) {
            JacksonException.Reference step = path.get(i);
            boolean isKey = step.from() instanceof Map
                    || (step.from() instanceof Class<?> type && Map.class.isAssignableFrom(type));
            if (step.getPropertyName() != null && !isKey) {
                return ", property '" + PrintableText.of(step.getPropertyName(), 60) + "'";
            }
        }
        return "";
    }
}
