// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.codec;

import io.delayqueue.PayloadConversionException;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.json.JsonMapper;

/** JSON by Jackson 3. Uses the application's mapper as it is, so its modules and formats apply. */
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
        try {
            Object value = mapper.readValue(payload, mapper.constructType(type));
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
                            + ". Correct the type, or add what Jackson needs to read this payload");
        }
    }

    @Override
    public void prepare(Type type) {
        mapper.readerFor(mapper.constructType(type));
        mapper.readValue(Sample.JSON, Sample.class);
    }

    /** Read once, for nothing: the first document is what takes the parser's classes. */
    private record Sample(String text, long number) {

        private static final byte[] JSON = "{\"text\":\"\",\"number\":1}".getBytes(StandardCharsets.UTF_8);
    }
}
