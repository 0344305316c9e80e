// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.preinitialize.BackgroundPreinitializer;
import org.springframework.context.ApplicationListener;
import org.springframework.core.io.support.SpringFactoriesLoader;

/** Spring Boot finds the preinitializer; its failures are ignored, so that only a test sees them. */
class JsonPreinitializerTests {

    private final SpringFactoriesLoader factories = SpringFactoriesLoader.forDefaultResourceLocation();

    @Test
    void preinitializeWhenSpringBootLoadsItThrowsNothing() {
        assertThat(factories.load(BackgroundPreinitializer.class))
                .filteredOn(JsonPreinitializer.class::isInstance)
                .singleElement()
                .satisfies(found -> assertThatNoException().isThrownBy(found::preinitialize));
    }

    @Test
    void readAndWriteWhenTheApplicationHasStartedReadsWhatItHasWritten() {
        assertThat(factories.load(ApplicationListener.class)).hasAtLeastOneElementOfType(JsonPreinitializer.class);
        assertThatNoException().isThrownBy(JsonPreinitializer::readAndWrite);
    }
}
