// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import io.delayqueue.control.QueueControl;
import io.delayqueue.internal.console.ConsoleRequest;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** Which page stands at which address. */
public final class Pages {

    private final InstantSource clock;
    private final QueuesPage queues;

    public Pages(QueueControl control, InstantSource clock) {
        this.clock = clock;
        this.queues = new QueuesPage(control);
    }

    /** @param segments of the path; empty where there is no such page */
    public Optional<Page> find(ConsoleRequest request, List<String> segments) {
        Instant now = Instant.ofEpochMilli(clock.millis());
        return switch (segments.size()) {
            case 0 -> Optional.of(queues.show(request, now));
            default -> Optional.empty();
        };
    }
}
