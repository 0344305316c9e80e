// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.client;

import io.delayqueue.FailedAttempt;
import io.delayqueue.FoundTask;
import io.delayqueue.internal.store.StoredTask;
import io.delayqueue.internal.store.StoredTaskView;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A task with its decoded payload. */
record FoundTaskView<T>(String queue, StoredTask task, Map<String, String> headers, T payload)
        implements FoundTask<T>, StoredTaskView {

    @Override
    public Optional<String> holder() {
        return Optional.ofNullable(task.holder());
    }

    @Override
    public List<FailedAttempt> failedAttempts() {
        return task.failedAttempts();
    }

    @Override
    public Optional<String> stackTrace() {
        return Optional.ofNullable(task.stackTrace());
    }

    @Override
    public String toString() {
        return asText();
    }
}
