// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.calls;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.TaskStoreBusyException;
import io.delayqueue.TaskStoreException;
import io.delayqueue.TaskStoreFullException;
import io.delayqueue.TaskStoreTimeoutException;
import io.delayqueue.TaskStoreUnavailableException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TaskFailuresTests {

    static List<TaskStoreException> afterSending() {
        return List.of(
                new TaskStoreTimeoutException("late", true, null),
                new TaskStoreUnavailableException("away", true, null),
                new TaskStoreFullException("full", true, null),
                new TaskStoreBusyException("busy", true, null),
                new TaskStoreException("other", true, null));
    }

    @ParameterizedTest
    @MethodSource("afterSending")
    void ofTaskWhenOneOfManyFailedKeepsKindAndWhatMayHaveHappened(TaskStoreException failure) {
        TaskStoreException told = (TaskStoreException) TaskFailures.ofTask(failure, "orders", "order-42");

        assertThat(told).isExactlyInstanceOf(failure.getClass()).hasMessageContaining("'order-42'");
        assertThat(told.mayHaveBeenApplied()).isTrue();
    }
}
