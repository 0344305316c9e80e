// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.settings;

import io.delayqueue.DelayQueueException;
import io.delayqueue.PayloadConversionException;
import io.delayqueue.TaskStoreException;
import io.delayqueue.internal.autoconfigure.failure.InvalidDelayQueueSetupException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/**
 * Explains why the application does not start, where the invalid property was set, and what to do. Ignores failures
 * that are not setup mistakes, for example if Redis is down or a payload cannot be encoded.
 */
@Order(0)
public final class DelayQueueFailureAnalyzer extends AbstractFailureAnalyzer<DelayQueueException> {

    private final @Nullable Environment environment;

    public DelayQueueFailureAnalyzer(@Nullable Environment environment) {
        this.environment = environment;
    }

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, DelayQueueException cause) {
        InvalidDelayQueueSetupException setup = findCause(rootFailure, InvalidDelayQueueSetupException.class);
        if (setup != null) {
            return new FailureAnalysis(setup.description() + origin(setup.property()), setup.action(), setup);
        }
        return (cause instanceof TaskStoreException || cause instanceof PayloadConversionException)
                ? null
                : new FailureAnalysis(
                        String.valueOf(cause.getMessage()),
                        "Correct the property or bean named in the description.",
                        cause);
    }

    private String origin(@Nullable String property) {
        if (property == null || environment == null) {
            return "";
        }
        ConfigurationPropertyName name = ConfigurationPropertyName.adapt(property, '.');
        return InheritingSource.of(ConfigurationPropertySources.get(environment)).stream()
                .flatMap(source -> Stream.ofNullable(source.getConfigurationProperty(name)))
                .findFirst()
                .filter(found -> found.getOrigin() != null)
                .map(found ->
                        System.lineSeparator().repeat(2) + found.getName() + " was set by " + found.getOrigin() + ".")
                .orElse("");
    }
}
