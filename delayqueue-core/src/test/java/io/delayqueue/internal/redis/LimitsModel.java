// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import io.delayqueue.TaskIds;
import io.delayqueue.admin.KeyLimits;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What limits of keys allow, without held-back tasks and turns: each key is asked at each moment. */
final class LimitsModel {

    private static final Duration TENTH = Duration.ofMillis(100);

    private final KeyLimits configured;
    private final Map<String, Key> keys = new TreeMap<>();

    LimitsModel(KeyLimits configured) {
        this.configured = configured;
    }

    private static final class Key {

        /** Ids sort in the order of their due times. */
        private final TreeSet<String> due = new TreeSet<>();

        private final Set<String> running = new HashSet<>();
        private KeyLimits limits = KeyLimits.NONE;
        private Instant closedUntil = Instant.MIN;
        /** Theoretical arrival time of the generic cell rate algorithm. */
        private Instant arrival = Instant.MIN;
    }

    private Key key(String name) {
        return keys.computeIfAbsent(name, any -> new Key());
    }

    private Key keyOf(String id) {
        return key(TaskIds.keyOf(id).orElseThrow());
    }

    void put(String id) {
        keyOf(id).due.add(id);
    }

    void cancel(String id) {
        keyOf(id).due.remove(id);
    }

    void end(String id) {
        keyOf(id).running.remove(id);
    }

    void set(String name, KeyLimits limits) {
        key(name).limits = limits;
    }

    void close(String name, Instant until) {
        key(name).closedUntil = until;
    }

    /** Returns the ids of the due tasks. */
    List<String> due() {
        return keys.values().stream().flatMap(key -> key.due.stream()).toList();
    }

    /** Takes what the limits allow now, by key, in order. */
    Map<String, List<String>> take(Instant now) {
        Map<String, List<String>> taken = new TreeMap<>();
        keys.forEach((name, key) -> {
            List<String> ids = take(key, now);
            if (!ids.isEmpty()) {
                taken.put(name, ids);
            }
        });
        return taken;
    }

    private List<String> take(Key key, Instant now) {
        KeyLimits rate = key.limits.interval().isPresent() ? key.limits : configured;
        int most = (key.limits.concurrency().isPresent() ? key.limits : configured)
                .concurrency()
                .orElse(Integer.MAX_VALUE);
        Duration interval = rate.interval().orElse(Duration.ZERO);
        Duration ahead = rate.burst().isPresent()
                ? interval.multipliedBy(rate.burst().getAsInt() - 1)
                : interval.compareTo(TENTH) < 0 ? TENTH.minus(interval) : Duration.ZERO;
        Instant latest = now.plus(ahead).plus(interval);
        if (!key.due.isEmpty() && !interval.isZero() && key.arrival.isAfter(latest)) {
            key.arrival = latest; // a slower rate of the past does not count
        }
        List<String> taken = new ArrayList<>();
        while (!key.due.isEmpty()
                && !key.closedUntil.isAfter(now)
                && key.running.size() < most
                && (interval.isZero() || !key.arrival.isAfter(now.plus(ahead)))) {
            if (!interval.isZero()) {
                key.arrival = (key.arrival.isAfter(now) ? key.arrival : now).plus(interval);
            }
            String id = key.due.pollFirst();
            taken.add(id);
            if (most < Integer.MAX_VALUE) {
                key.running.add(id);
            }
        }
        return taken;
    }
}
