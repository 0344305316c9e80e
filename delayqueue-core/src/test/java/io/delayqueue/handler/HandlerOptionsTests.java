// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.handler;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HandlerOptionsTests {

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-1S", "PT0.0005S", "P366D", "PT87660000H"})
    void timesWhenTheyCannotWorkAreRefusedByName(Duration duration) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> options(Optional.empty(), Optional.of(duration), Optional.empty()))
                .withMessageStartingWith("lease must be between 1ms and 365d, but is ");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> options(Optional.empty(), Optional.empty(), Optional.of(duration)))
                .withMessageStartingWith("closeTimeout must be between 1ms and 365d, but is ");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HandlerOptions.DEFAULT.withTimeout(duration))
                .withMessageStartingWith("timeout must be between 1ms and 365d, but is ");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 501})
    void batchSizeWhenItCannotWorkIsRefusedByName(int size) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> options(Optional.of(size), Optional.empty(), Optional.empty()))
                .withMessage("batchSize must be between 1 and 500, but is " + size);
    }

    @Test
    void concurrencyWhenThereAreTooManyThreadsIsRefusedByName() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HandlerOptions.DEFAULT.withConcurrency(10_001))
                .withMessage("concurrency must be between 1 and 10000, but is 10001");
    }

    private static HandlerOptions options(
            Optional<Integer> batchSize, Optional<Duration> lease, Optional<Duration> closeTimeout) {
        return new HandlerOptions(
                Optional.empty(),
                batchSize,
                lease,
                Optional.empty(),
                closeTimeout,
                Optional.empty(),
                Set.of(),
                Optional.empty(),
                Optional.empty());
    }
}
