// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.handler;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.delayqueue.handler.HandlerOptions;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HandlerOptionsTests {

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-1S", "PT0.0005S", "P366D", "PT87660000H"})
    void timesWhenTheyCannotWorkAreRefusedByName(Duration duration) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HandlerOptions.builder().lease(duration))
                .withMessageStartingWith("lease must be between 1ms and 365d, but is ");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HandlerOptions.builder().shutdownTimeout(duration))
                .withMessageStartingWith("shutdownTimeout must be between 1ms and 365d, but is ");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HandlerOptions.builder().timeout(duration).build())
                .withMessageStartingWith("timeout must be between 1ms and 365d, but is ");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 501})
    void batchSizeWhenItCannotWorkIsRefusedByName(int size) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HandlerOptions.builder().batchSize(size))
                .withMessage("batchSize must be between 1 and 500, but is " + size);
    }

    @Test
    void maxWaitWhenItIsLongerThanAnHourIsRefusedByName() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HandlerOptions.builder().maxWait(Duration.ofHours(2)))
                .withMessageStartingWith("maxWait must be between 0s and 1h, but is ");
    }

    @Test
    void concurrencyWhenThereAreTooManyThreadsIsRefusedByName() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HandlerOptions.builder().concurrency(10_001).build())
                .withMessage("concurrency must be between 1 and 10000, but is 10001");
    }
}
