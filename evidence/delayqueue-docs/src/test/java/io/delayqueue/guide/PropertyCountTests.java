// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.guide;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** Few properties are a feature. A new one needs a reason, and the end of an old one. */
class PropertyCountTests {

    /** They mirror spring.data.redis.*, so users know them already. */
    private static final Pattern AS_SPRING_DATA = Pattern.compile("delayqueue\\.redis\\."
            + "(url|host|port|username|password|database|client-name|(ssl|sentinel|cluster)\\..*)");

    @Test
    void allModulesTogetherHaveAtMost80Properties() throws IOException {
        Set<String> names = new TreeSet<>();
        for (URL metadata : Collections.list(
                getClass().getClassLoader().getResources("META-INF/spring-configuration-metadata.json"))) {
            try (InputStream in = metadata.openStream()) {
                JsonMapper.shared()
                        .readTree(in)
                        .get("properties")
                        .forEach(property -> names.add(property.get("name").asString()));
            }
        }
        names.removeIf(name ->
                !name.startsWith("delayqueue.") || AS_SPRING_DATA.matcher(name).matches());
        assertThat(names)
                .contains("delayqueue.defaults.lease", "delayqueue.jdbc.table-prefix", "delayqueue.console.path")
                .hasSizeLessThanOrEqualTo(80);
    }
}
