// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.settings;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.InvalidTaskException;
import io.delayqueue.PayloadConversionException;
import io.delayqueue.TaskStoreUnavailableException;
import io.delayqueue.internal.autoconfigure.failure.InvalidDelayQueueSetupException;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.core.env.Environment;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.ArgumentResolver;

class DelayQueueFailureAnalyzerTests {

    private final DelayQueueFailureAnalyzer analyzer = new DelayQueueFailureAnalyzer(null);

    @Test
    void analyzeWhenABeanWasRefusedShowsWhy() {
        FailureAnalysis analysis = analyzer.analyze(
                new IllegalStateException(new InvalidTaskException("'{x}' is not a valid queue name")));
        assertThat(analysis).isNotNull();
        assertThat(analysis.getDescription()).isEqualTo("'{x}' is not a valid queue name");
    }

    @Test
    void analyzeWhenTheSetupIsInvalidTellsWhereTheInheritedPropertyWasSet() {
        StandardEnvironment environment = new StandardEnvironment();
        TestPropertyValues.of("delayqueue.defaults.codec=xml", "delayqueue.queues.orders.lease=9s")
                .applyTo(environment);
        ConfigurationPropertySources.attach(environment);
        FailureAnalysis analysis = new DelayQueueFailureAnalyzer(environment)
                .analyze(new IllegalStateException(new InvalidDelayQueueSetupException(
                        "delayqueue.queues.orders.codec", "There is no such codec.", "Name another one.")));
        assertThat(analysis).isNotNull();
        assertThat(analysis.getDescription())
                .startsWith("There is no such codec.")
                .contains("delayqueue.defaults.codec was set by", "from property source \"test\"");
        assertThat(analysis.getAction()).isEqualTo("Name another one.");
    }

    @Test
    void analyzeWhenRedisIsDownLeavesItToOthers() {
        assertThat(analyzer.analyze(new TaskStoreUnavailableException("down", false, null)))
                .isNull();
    }

    @Test
    void analyzeWhenAPayloadCannotBeWrittenLeavesTheCauseToBeSeen() {
        assertThat(analyzer.analyze(new PayloadConversionException("see the cause", new IllegalStateException("why"))))
                .isNull();
    }

    @Test
    void itIsRegistered() {
        assertThat(SpringFactoriesLoader.forDefaultResourceLocation()
                        .load(
                                FailureAnalyzer.class,
                                ArgumentResolver.of(Environment.class, new StandardEnvironment()),
                                (type, name, error) -> {}))
                .hasAtLeastOneElementOfType(DelayQueueFailureAnalyzer.class);
    }
}
