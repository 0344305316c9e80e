// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CapacityTests {

    private final AtomicInteger freed = new AtomicInteger();
    private final Capacity capacity = new Capacity(2, 10, 0, freed::incrementAndGet);

    @Test
    void freeWhenAllWorkersAreBusyIsZero() {
        assertThat(capacity.free()).isEqualTo(20);
        acquire(10);
        capacity.startWorker(10);
        assertThat(capacity.free()).isEqualTo(10);
        acquire(10);
        capacity.startWorker(10);
        assertThat(capacity.free()).isZero();
        capacity.endWorker();
        assertThat(capacity.free()).isEqualTo(10);
        assertThat(freed).hasValue(1);
    }

    @Test
    void freeWhenTasksAreAskedForOrWaitLeavesThemTheirWorkers() {
        capacity.reserve(12);
        assertThat(capacity.free()).isEqualTo(8);
        capacity.reserve(8);
        assertThat(capacity.free()).isZero();
        capacity.take(12, 3);
        assertThat(capacity.free()).as("8 are still asked for, 3 wait").isEqualTo(9);
        capacity.take(8, 0);
        assertThat(capacity.free()).isEqualTo(17);
        capacity.putOff(3);
        assertThat(capacity.free()).isEqualTo(20);
        capacity.bringBack(2);
        assertThat(capacity.free()).isEqualTo(18);
    }

    @Test
    void freeWhenSettlingIsSlowShrinksToZero() {
        for (int tasks : new int[] {10, 10, 10, 4}) {
            deliver(tasks);
        }
        assertThat(capacity.free()).isEqualTo(6);
        deliver(6);
        assertThat(capacity.free()).isZero();
        capacity.taskDone();
        assertThat(capacity.free()).isEqualTo(1);
    }

    @Test
    void freeWhenWhatIsUnderLeaseIsLeftOutDoesNotShrinkForIt() {
        for (int tasks : new int[] {10, 10, 10, 10}) {
            deliver(tasks);
        }
        assertThat(capacity.free()).isZero();
        capacity.leaveOut(15);
        assertThat(capacity.free()).isEqualTo(15);
        capacity.leaveOut(0);
        assertThat(capacity.free()).isZero();
    }

    @Test
    void roomWhenWorkersAreBusyOrTasksWaitIsWhatIdleOnesCarry() {
        assertThat(capacity.room()).isEqualTo(20);
        deliver(3);
        assertThat(capacity.room()).isEqualTo(20);
        acquire(12);
        assertThat(capacity.room()).isEqualTo(8);
        capacity.startWorker(10);
        assertThat(capacity.room()).isEqualTo(8);
    }

    @Test
    void freeWhenTheDestinationHoldsBatchesGoesOnByAsMany() {
        Capacity ahead = new Capacity(2, 10, 3, freed::incrementAndGet);
        for (int batch = 0; batch < 7; batch++) {
            int limit = Math.min(10, ahead.free());
            assertThat(limit).as("batch %s", batch).isEqualTo(10);
            ahead.reserve(limit);
            ahead.take(limit, 10);
            ahead.startWorker(10);
            ahead.endWorker();
        }
        assertThat(ahead.free()).isZero();
    }

    @Test
    void taskDoneWhenABatchIsThroughTellsThePoller() {
        deliver(12);
        freed.set(0);
        for (int i = 0; i < 12; i++) {
            assertThat(capacity.isIdleBut(0, 0)).isFalse();
            capacity.taskDone();
        }
        assertThat(capacity.isIdleBut(0, 0)).isTrue();
        assertThat(freed).as("at 10 left and at 0 left").hasValue(2);
    }

    private void acquire(int tasks) {
        capacity.reserve(tasks);
        capacity.take(tasks, tasks);
    }

    /** Delivered, but not settled. */
    private void deliver(int tasks) {
        acquire(tasks);
        capacity.startWorker(tasks);
        capacity.endWorker();
    }
}
