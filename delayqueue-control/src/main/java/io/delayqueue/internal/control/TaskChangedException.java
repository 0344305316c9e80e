// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import io.delayqueue.DelayQueueException;
import io.delayqueue.internal.input.PrintableText;
import java.util.Locale;

/** Thrown if a task is no longer as the caller saw it. Nothing was changed. */
public class TaskChangedException extends DelayQueueException {

    TaskChangedException(TaskDetails task) {
        super("Queue '" + task.queue() + "', task '" + PrintableText.of(task.id(), 200)
                + "': it has changed since you read it. It is now "
                + task.state().name().toLowerCase(Locale.ROOT) + ", with nextAttentionAt "
                + task.nextAttentionAt());
    }
}
