// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.handler;

import java.util.List;

/**
 * Handles due tasks of a queue many at a time, such as rows of one insert. At most {@code batchSize} tasks come together,
 * after the first has waited for others for at most {@code maxWait}. When it returns, the tasks are acknowledged, except those
 * that {@link DelayedTask#fail} was called for. What it throws fails the others. A payload that cannot be decoded makes its
 * task dead, and the list is without it.
 *
 * @param <T> payload type
 */
@FunctionalInterface
public interface BatchTaskHandler<T> {

    /** Handles tasks, at least one. */
    void handle(List<DelayedTask<T>> tasks) throws Exception;
}
