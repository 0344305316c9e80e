// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class DestinationTraitsTests {

    @Test
    void traitsWhenOneIsAddedKeepTheOthers() {
        assertThat(DestinationTraits.PLAIN
                        .withBatchesAhead(7)
                        .renewingLeases()
                        .isolatingSuspects()
                        .beginningEach()
                        .callingInterceptors()
                        .loggingFailures())
                .isEqualTo(new DestinationTraits(true, true, true, true, true, 7));
        assertThat(DestinationTraits.PLAIN.renewingLeases())
                .isEqualTo(new DestinationTraits(true, false, false, false, false, 0));
        assertThat(DestinationTraits.PLAIN.isolatingSuspects())
                .isEqualTo(new DestinationTraits(false, true, false, false, false, 0));
        assertThat(DestinationTraits.PLAIN.beginningEach())
                .isEqualTo(new DestinationTraits(false, false, true, false, false, 0));
        assertThat(DestinationTraits.PLAIN.callingInterceptors())
                .isEqualTo(new DestinationTraits(false, false, false, true, false, 0));
        assertThat(DestinationTraits.PLAIN.callingInterceptors().withBatchesAhead(2))
                .isEqualTo(new DestinationTraits(false, false, false, true, false, 2));
    }

    @Test
    void traitsWhenBatchesAheadAreNegativeAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DestinationTraits.PLAIN.withBatchesAhead(-1))
                .withMessageContaining("batchesAhead");
    }
}
