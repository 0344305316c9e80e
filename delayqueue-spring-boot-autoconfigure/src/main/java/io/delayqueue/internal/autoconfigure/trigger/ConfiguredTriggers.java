// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.trigger;

import io.delayqueue.trigger.ScanTrigger;
import java.util.Optional;

/** Makes the triggers that need no code, for queues whose properties say where their tasks go. */
public interface ConfiguredTriggers {

    /**
     * Makes the queue's trigger, unless its properties name no destination of this kind. It has all that it needs: where
     * the beans were defined by an ahead-of-time build, nothing injects into one that is made later.
     */
    Optional<ScanTrigger> create(String queue);
}
