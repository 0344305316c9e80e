// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.guide;

import io.delayqueue.guide.GuideBook.Block;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;

/** A block of YAML as the application reads it. */
final class GuideYaml {

    private GuideYaml() {}

    /** Adds what the block says, behind what a test says itself. */
    static void addTo(ConfigurableEnvironment environment, Block block) {
        sources(block).forEach(environment.getPropertySources()::addLast);
    }

    static Map<String, Object> properties(Block block) {
        Map<String, Object> properties = new LinkedHashMap<>();
        for (PropertySource<?> source : sources(block)) {
            EnumerablePropertySource<?> names = (EnumerablePropertySource<?>) source;
            for (String name : names.getPropertyNames()) {
                properties.put(name, source.getProperty(name));
            }
        }
        return properties;
    }

    private static List<PropertySource<?>> sources(Block block) {
        try {
            return new YamlPropertySourceLoader()
                    .load(
                            block.page() + ":" + block.line(),
                            new ByteArrayResource(block.text().getBytes(StandardCharsets.UTF_8)));
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }
}
