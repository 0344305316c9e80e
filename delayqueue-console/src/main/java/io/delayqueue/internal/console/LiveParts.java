// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console;

import io.delayqueue.DelayQueueException;
import io.delayqueue.internal.console.page.Page;
import io.delayqueue.internal.console.request.ConsoleRequest;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The parts of a page that have changed since the step before, and a heartbeat. While Redis does not answer nothing changes, and
 * what is the matter comes in place of the heartbeat.
 */
final class LiveParts implements ConsoleAnswer.Steps {

    /** The event that tells a page that what it shows is true. */
    static final String HEARTBEAT = "heartbeat";

    private final Rendering rendering;
    private final ConsoleRequest request;
    private final Supplier<Page> page;
    private final Map<String, String> sent = new HashMap<>();

    LiveParts(Rendering rendering, ConsoleRequest request, Supplier<Page> page) {
        this.rendering = rendering;
        this.request = request;
        this.page = page;
    }

    @Override
    public Map<String, String> next() {
        Map<String, String> changed = new LinkedHashMap<>();
        try {
            rendering.live(request, page.get()).forEach((name, html) -> {
                if (!html.equals(sent.put(name, html))) {
                    changed.put(name, html);
                }
            });
            changed.put(HEARTBEAT, "1");
            return changed;
        } catch (DelayQueueException ex) {
            return Map.of("trouble", String.valueOf(Trouble.of(ex).title()));
        }
    }
}
