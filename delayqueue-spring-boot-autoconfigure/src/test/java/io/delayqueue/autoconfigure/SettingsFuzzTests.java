// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The properties, given any text: one line for each, a letter that chooses the property, and its value. They work or
 * are refused by name.
 */
class SettingsFuzzTests {

    private static final List<String> PROPERTIES = SettingsReading.PROPERTIES;

    @FuzzTest
    void settings(byte[] bytes) {
        Map<String, String> properties = new HashMap<>();
        properties.put("delayqueue.queues.orders.codec", "json");
        for (String line : new String(bytes, StandardCharsets.UTF_8).split("\n", 5)) {
            if (!line.isEmpty()) {
                properties.put("delayqueue." + PROPERTIES.get(line.charAt(0) % PROPERTIES.size()), line.substring(1));
            }
        }
        SettingsReading.takes(properties);
    }
}
