// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.failure;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.InvalidQueueNameException;
import io.delayqueue.PayloadConversionException;
import io.delayqueue.TaskStoreUnavailableException;
import org.junit.jupiter.api.Test;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.core.env.Environment;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.ArgumentResolver;

class DelayQueueFailureAnalyzerTests {

    private final DelayQueueFailureAnalyzer analyzer = new DelayQueueFailureAnalyzer();

    @Test
    void analyzeWhenABeanWasRefusedShowsWhy() {
        FailureAnalysis analysis =
                analyzer.analyze(new IllegalStateException(new InvalidQueueNameException("'{x}' is no queue name")));
        assertThat(analysis).isNotNull();
        assertThat(analysis.getDescription()).isEqualTo("'{x}' is no queue name");
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
    void bothAnalyzersAreRegistered() {
        assertThat(SpringFactoriesLoader.forDefaultResourceLocation()
                        .load(
                                FailureAnalyzer.class,
                                ArgumentResolver.of(Environment.class, new StandardEnvironment()),
                                (type, name, error) -> {}))
                .hasAtLeastOneElementOfType(DelayQueueFailureAnalyzer.class)
                .hasAtLeastOneElementOfType(InvalidDelayQueueSetupFailureAnalyzer.class);
    }
}
