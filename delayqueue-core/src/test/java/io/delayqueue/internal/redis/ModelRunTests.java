// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Shrinking that continues after its run must not touch the server of the next tests. */
class ModelRunTests {

    private static final AtomicInteger USED = new AtomicInteger();
    private static final AtomicReference<Wrong> LAST = new AtomicReference<>();

    @Test
    void sequenceWhenItsRunHasEndedIsRefused() {
        assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> ModelRun.of(Wrong.class, 1));
        int used = USED.get();
        assertThat(used).isPositive();

        assertThatIllegalStateException()
                .isThrownBy(() -> LAST.get().shardWhenDrivenAtRandomDoesWhatTheModelDoes(List.of()));

        assertThat(USED).hasValue(used);
    }

    static class Wrong extends ShardModelProperties {
        Wrong() {
            super(() -> {
                USED.incrementAndGet();
                throw new AssertionError("as where the model differs");
            });
            LAST.set(this);
        }
    }
}
