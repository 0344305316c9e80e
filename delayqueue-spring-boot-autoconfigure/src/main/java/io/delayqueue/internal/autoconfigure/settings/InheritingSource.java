// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.settings;

import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;

/** The fall-back of the queues from {@code delayqueue.queues.<name>} to {@code delayqueue.defaults}. */
final class InheritingSource {

    static final ConfigurationPropertyName QUEUES = ConfigurationPropertyName.of("delayqueue.queues");
    static final ConfigurationPropertyName DEFAULTS = ConfigurationPropertyName.of("delayqueue.defaults");

    private InheritingSource() {}

    /**
     * Returns the given sources, followed by those that return the defaults of a queue's properties. Spring Boot reads a
     * whole list from one source. The name of a queue itself has no value: it is empty for {@code orders: {}} in YAML.
     */
    static List<ConfigurationPropertySource> of(Iterable<ConfigurationPropertySource> sources) {
        List<ConfigurationPropertySource> own = new ArrayList<>();
        List<ConfigurationPropertySource> inherited = new ArrayList<>();
        for (ConfigurationPropertySource source : sources) {
            own.add(name -> QUEUES.isParentOf(name) ? null : source.getConfigurationProperty(name));
            inherited.add(name -> QUEUES.isParentOf(name) || !QUEUES.isAncestorOf(name)
                    ? null
                    : source.getConfigurationProperty(DEFAULTS.append(pathInQueue(name))));
        }
        own.addAll(inherited);
        return own;
    }

    /** Returns the part of a property's name after the queue's name. */
    static ConfigurationPropertyName pathInQueue(ConfigurationPropertyName property) {
        return property.subName(QUEUES.getNumberOfElements() + 1);
    }
}
