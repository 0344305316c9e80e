// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.failure;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.env.Environment;

/** Says which property keeps the application from starting, where it was set, and what to do. */
public final class InvalidDelayQueueSetupFailureAnalyzer
        extends AbstractFailureAnalyzer<InvalidDelayQueueSetupException> {

    private final @Nullable Environment environment;

    public InvalidDelayQueueSetupFailureAnalyzer(@Nullable Environment environment) {
        this.environment = environment;
    }

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, InvalidDelayQueueSetupException cause) {
        return new FailureAnalysis(cause.description() + origin(cause.property()), cause.action(), cause);
    }

    private String origin(@Nullable String property) {
        if (property == null || environment == null) {
            return "";
        }
        ConfigurationPropertyName name = ConfigurationPropertyName.adapt(property, '.');
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            ConfigurationProperty found = source.getConfigurationProperty(name);
            if (found != null && found.getOrigin() != null) {
                return System.lineSeparator() + System.lineSeparator() + property + " was set by " + found.getOrigin()
                        + ".";
            }
        }
        return "";
    }
}
