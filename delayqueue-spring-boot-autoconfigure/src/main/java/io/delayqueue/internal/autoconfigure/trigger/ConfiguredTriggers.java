// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.trigger;

import io.delayqueue.trigger.ScanTrigger;
import java.util.Optional;

/** Creates triggers for queues whose properties define their destination. */
public interface ConfiguredTriggers {

    /**
     * Creates the queue's trigger, unless its properties name no destination of this kind. The trigger is fully
     * initialized: after an ahead-of-time build, nothing injects into beans created later.
     */
    Optional<ScanTrigger> create(String queue);
}
