// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.trigger;

import io.delayqueue.trigger.ScanTrigger;
import java.util.Optional;

/** Creates triggers for queues whose properties define their destination. */
public interface ConfiguredTriggers {

    /**
     * Creates the queue's trigger, if its properties name a destination of this kind. The trigger must be fully
     * initialized: after ahead-of-time processing, the container does not inject dependencies into beans that are
     * created later.
     */
    Optional<ScanTrigger> create(String queue);
}
