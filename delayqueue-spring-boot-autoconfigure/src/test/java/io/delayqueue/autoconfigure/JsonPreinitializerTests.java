// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.preinitialize.BackgroundPreinitializer;
import org.springframework.core.io.support.SpringFactoriesLoader;

/** Spring Boot finds the preinitializer, and ignores its failures, so that only a test sees them. */
class JsonPreinitializerTests {

    @Test
    void preinitializeWhenSpringBootLoadsItReadsWhatItHasWritten() {
        assertThat(SpringFactoriesLoader.forDefaultResourceLocation().load(BackgroundPreinitializer.class))
                .filteredOn(JsonPreinitializer.class::isInstance)
                .singleElement()
                .satisfies(found -> assertThatNoException().isThrownBy(found::preinitialize));
    }
}
