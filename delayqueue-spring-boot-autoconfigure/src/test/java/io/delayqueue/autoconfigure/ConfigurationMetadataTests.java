// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.internal.autoconfigure.settings.DelayQueueProperties;
import io.delayqueue.internal.autoconfigure.settings.QueueProperties;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.queue.QueueSettingsBuilder;
import io.delayqueue.internal.queue.TaskBounds;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What editors offer and explain is complete, and says the defaults that hold. */
class ConfigurationMetadataTests {

    private final Map<String, JsonNode> properties = new TreeMap<>();

    ConfigurationMetadataTests() throws IOException {
        try (InputStream in =
                DelayQueueProperties.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
            JsonMapper.shared()
                    .readTree(in)
                    .get("properties")
                    .forEach(property -> properties.put(property.get("name").asString(), property));
        }
    }

    @Test
    void everyPropertyHasADescription() {
        assertThat(properties).hasSizeGreaterThan(25);
        properties.forEach((name, property) -> {
            assertThat(property.path("description").asString("")).as(name).isNotBlank();
        });
    }

    @Test
    void everyPropertyOfAQueueIsOfferedAsADefault() {
        for (String path : paths(QueueProperties.class, "")) {
            assertThat(properties).containsKey("delayqueue.defaults" + path);
        }
        assertThat(properties.keySet().stream().filter(name -> name.startsWith("delayqueue.defaults.")))
                .hasSameSizeAs(paths(QueueProperties.class, ""));
    }

    /** Sets every default that the metadata names; nothing may change. */
    @Test
    void theDefaultsThatAreSaidAreThoseThatHold() {
        List<String> pairs = new ArrayList<>();
        properties.forEach((name, property) -> {
            if (property.has("defaultValue")) {
                pairs.add(name + "=" + property.get("defaultValue").asString());
            }
        });
        assertThat(pairs).hasSizeGreaterThan(20);
        new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(DataRedisAutoConfiguration.class, DelayQueueAutoConfiguration.class))
                .withPropertyValues(pairs.toArray(String[]::new))
                .withPropertyValues("delayqueue.queues.orders=", "spring.data.redis.port=1")
                .run(context -> {
                    assertThat(context.getBean(QueueCatalog.class).get("orders"))
                            .isEqualTo(QueueSettingsBuilder.withDefaults("orders"));
                    assertThat(context.getBean(TaskBounds.class)).isEqualTo(TaskBounds.DEFAULT);
                });
    }

    private static List<String> paths(Class<?> type, String prefix) {
        List<String> paths = new ArrayList<>();
        for (RecordComponent component : type.getRecordComponents()) {
            String path = prefix + "." + dashed(component.getName());
            if (component.getType().isRecord()) {
                paths.addAll(paths(component.getType(), path));
            } else {
                paths.add(path);
            }
        }
        return paths;
    }

    private static String dashed(String name) {
        String dashed = name.replaceAll("([A-Z])", "-$1").toLowerCase(java.util.Locale.ROOT);
        return ConfigurationPropertyName.of(dashed).toString();
    }
}
