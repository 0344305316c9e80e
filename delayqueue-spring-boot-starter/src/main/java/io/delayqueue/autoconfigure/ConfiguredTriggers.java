// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import io.delayqueue.queue.QueueSettings;
import io.delayqueue.trigger.ScanTrigger;
import org.jspecify.annotations.Nullable;

/** Makes the triggers that need no code, for queues whose properties say where their tasks go. */
interface ConfiguredTriggers {

    /** Makes the queue's trigger, or returns null if its properties name no destination of this kind. */
    @Nullable
    ScanTrigger create(QueueSettings queue);
}
