// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc.autoconfigure;

import io.delayqueue.jdbc.DelayQueueOutbox;
import io.delayqueue.jdbc.OutboxStatistics;
import io.delayqueue.jdbc.RejectedOperation;
import java.util.List;

/** An outbox that holds what it is told. */
record ToldOutbox(OutboxStatistics statistics) implements DelayQueueOutbox {

    @Override
    public List<RejectedOperation> rejected(int limit) {
        return List.of();
    }

    @Override
    public boolean retry(String rejectedId) {
        return false;
    }

    @Override
    public boolean delete(String rejectedId) {
        return false;
    }
}
