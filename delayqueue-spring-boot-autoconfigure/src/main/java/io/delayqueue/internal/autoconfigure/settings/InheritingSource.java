// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.settings;

import java.util.Objects;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;

/**
 * Property source for the queues that falls back from {@code delayqueue.queues.<name>} to {@code delayqueue.defaults}.
 *
 * @param sources the configured properties
 */
public record InheritingSource(Iterable<ConfigurationPropertySource> sources) implements ConfigurationPropertySource {

    static final ConfigurationPropertyName QUEUES = ConfigurationPropertyName.of("delayqueue.queues");
    static final ConfigurationPropertyName DEFAULTS = ConfigurationPropertyName.of("delayqueue.defaults");

    /** Returns nothing for the name of a queue itself. Its value is empty for {@code orders: {}} in YAML. */
    @Override
    public @Nullable ConfigurationProperty getConfigurationProperty(ConfigurationPropertyName name) {
        if (QUEUES.isParentOf(name)) {
            return null;
        }
        ConfigurationProperty own = find(name);
        return (own != null || !QUEUES.isAncestorOf(name)) ? own : find(DEFAULTS.append(pathInQueue(name)));
    }

    private @Nullable ConfigurationProperty find(ConfigurationPropertyName name) {
        return StreamSupport.stream(sources.spliterator(), false)
                .map(source -> source.getConfigurationProperty(name))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /** Returns the part of a property's name after the queue's name. */
    static ConfigurationPropertyName pathInQueue(ConfigurationPropertyName property) {
        return property.subName(QUEUES.getNumberOfElements() + 1);
    }
}
