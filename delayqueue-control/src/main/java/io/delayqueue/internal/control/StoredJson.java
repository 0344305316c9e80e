// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Converts records for display to and from JSON in Redis. Ignores members that this version does not know. */
final class StoredJson {

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
            .build();

    private StoredJson() {}

    static String text(Object value) {
        return JSON.writeValueAsString(value);
    }

    /** Returns null for text in another format. */
    static <T> @Nullable T parse(String text, Class<T> type) {
        try {
            return JSON.readValue(text, type);
        } catch (JacksonException ex) {
            return null;
        }
    }
}
