// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.subject;

import io.delayqueue.benchmarks.server.Place;
import java.util.HashMap;
import java.util.Map;

/** The subjects that measure the cost of limits per key. Their limits are so high that no key exceeds them. */
final class Limited {

    /** In a flood of 50,000, each key has ten tasks. */
    private static final int KEYS = 5_000;

    private static final String LIMITS = "delayqueue.queues.q0.limits.per-key.";

    private Limited() {}

    static DelayqueueSubject subject(String name, Place place, Need need) {
        Map<String, Object> properties = new HashMap<>();
        boolean both = name.equals(Subjects.KEY_BOTH);
        if (both || name.equals(Subjects.KEY_RATE)) {
            properties.put(LIMITS + "rate", "100/s burst 1000");
        }
        if (both || name.equals(Subjects.KEY_CONCURRENCY)) {
            properties.put(LIMITS + "concurrency", 1_000);
        }
        return DelayqueueSubject.keyed(place, need, properties, number -> "key-" + number % KEYS);
    }
}
