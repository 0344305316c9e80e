// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.settings;

import io.delayqueue.autoconfigure.QueueProperties;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationPropertiesBindHandlerAdvisor;
import org.springframework.boot.context.properties.bind.AbstractBindHandler;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.core.convert.ConverterNotFoundException;

/**
 * Lets {@code orders: {}} and {@code orders:} under {@code delayqueue.queues} mean a queue with the defaults. YAML
 * gives the name an empty string there, which nothing converts to a queue; where another source says more about the
 * queue, the binder has found that before it asks here.
 */
public final class EmptyQueues implements ConfigurationPropertiesBindHandlerAdvisor {

    private static final ConfigurationPropertyName QUEUES = ConfigurationPropertyName.of("delayqueue.queues");

    @Override
    public BindHandler apply(BindHandler parent) {
        return new AbstractBindHandler(parent) {

            @Override
            public @Nullable Object onFailure(
                    ConfigurationPropertyName name, Bindable<?> target, BindContext context, Exception error)
                    throws Exception {
                if (error instanceof ConverterNotFoundException && isEmptyQueue(name, context)) {
                    return QueueProperties.EMPTY;
                }
                return super.onFailure(name, target, context, error);
            }
        };
    }

    /** Asks the sources: Spring Boot 4.0 does not say which property it was that could not be converted. */
    private static boolean isEmptyQueue(ConfigurationPropertyName name, BindContext context) {
        if (!QUEUES.isParentOf(name)) {
            return false;
        }
        for (ConfigurationPropertySource source : context.getSources()) {
            ConfigurationProperty property = source.getConfigurationProperty(name);
            if (property != null) {
                return property.getValue().toString().isBlank();
            }
        }
        return false;
    }
}
