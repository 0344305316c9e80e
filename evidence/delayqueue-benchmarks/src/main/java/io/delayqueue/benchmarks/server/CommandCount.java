// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.server;

import java.util.Map;
import java.util.TreeMap;

/**
 * How often a Redis command ran.
 *
 * @param calls times
 * @param micros on the server, in all
 */
public record CommandCount(long calls, long micros) {

    private static final CommandCount NONE = new CommandCount(0, 0);

    /** Returns what came between the two counts; commands that did not run are left out. */
    public static Map<String, CommandCount> between(Map<String, CommandCount> before, Map<String, CommandCount> after) {
        Map<String, CommandCount> delta = new TreeMap<>();
        after.forEach((name, count) -> {
            CommandCount earlier = before.getOrDefault(name, NONE);
            if (count.calls > earlier.calls) {
                delta.put(name, new CommandCount(count.calls - earlier.calls, count.micros - earlier.micros));
            }
        });
        return delta;
    }
}
