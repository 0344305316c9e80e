// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CapacityTests {

    private final AtomicInteger freed = new AtomicInteger();
    private final Capacity capacity = new Capacity(2, 10, freed::incrementAndGet);

    @Test
    void freeWhenAllWorkersAreBusyIsZero() {
        assertThat(capacity.free()).isEqualTo(20);
        capacity.startWorker();
        assertThat(capacity.free()).isEqualTo(10);
        capacity.startWorker();
        assertThat(capacity.free()).isZero();
        capacity.endWorker();
        assertThat(capacity.free()).isEqualTo(10);
        assertThat(freed).hasValue(1);
    }

    @Test
    void freeWhenSettlingIsSlowShrinksToZero() {
        capacity.take(10);
        capacity.take(10);
        capacity.take(10);
        capacity.take(4);
        assertThat(capacity.free()).isEqualTo(6);
        capacity.take(6);
        assertThat(capacity.free()).isZero();
        capacity.taskDone();
        assertThat(capacity.free()).isEqualTo(1);
    }

    @Test
    void taskDoneWhenABatchIsThroughTellsThePoller() {
        capacity.take(12);
        for (int i = 0; i < 12; i++) {
            assertThat(capacity.isIdle()).isFalse();
            capacity.taskDone();
        }
        assertThat(capacity.isIdle()).isTrue();
        assertThat(freed).as("at 10 left and at 0 left").hasValue(2);
    }
}
