// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.handler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class RetryLaterExceptionTests {

    @Test
    void creationWhenTheDelayIsNullFails() {
        List<Function<Duration, RetryLaterException>> creations = List.of(
                after -> new RetryLaterException("429", after),
                after -> RetryLaterException.uncounted("429", after),
                after -> RetryLaterException.closingKey("429", after));

        assertThat(creations)
                .allSatisfy(creation -> assertThatNullPointerException()
                        .isThrownBy(() -> creation.apply(null))
                        .withMessageContaining("Duration.ZERO"));
    }
}
