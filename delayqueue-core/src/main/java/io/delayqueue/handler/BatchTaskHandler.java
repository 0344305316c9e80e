// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.handler;

import java.util.List;

/**
 * Handles due tasks of a queue in batches, for example as rows of one insert. A batch has at most {@code batchSize}
 * tasks; the first task waits at most {@code maxWait} for others. When the handler returns, the tasks are acknowledged,
 * except those for which {@link DelayedTask#fail} was called. An exception fails the remaining tasks. A task whose
 * payload cannot be decoded becomes dead and is not in the list.
 *
 * @param <T> payload type
 */
@FunctionalInterface
public interface BatchTaskHandler<T> {

    /** Handles at least one task. */
    void handle(List<DelayedTask<T>> tasks) throws Exception;
}
