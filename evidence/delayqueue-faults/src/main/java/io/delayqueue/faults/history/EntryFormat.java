// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.history;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.nio.charset.StandardCharsets;
import tools.jackson.core.JacksonException;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.json.JsonMapper;

/** Reads and writes entries as lines of JSON, in ASCII. */
final class EntryFormat {

    private final JsonMapper json = JsonMapper.builder()
            .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
            .changeDefaultPropertyInclusion(inclusion -> inclusion.withValueInclusion(JsonInclude.Include.NON_NULL))
            .build();

    byte[] line(Entry entry) {
        return (json.writeValueAsString(entry) + "\n").getBytes(StandardCharsets.US_ASCII);
    }

    /** @throws JacksonException if it is not a complete entry */
    Entry entry(String line) {
        return json.readValue(line, Entry.class);
    }
}
