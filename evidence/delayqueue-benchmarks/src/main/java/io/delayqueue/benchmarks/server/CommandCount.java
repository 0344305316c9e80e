// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.server;

import java.util.Map;
import java.util.TreeMap;

/**
 * The executions of a Redis command.
 *
 * @param calls number of executions
 * @param micros total time on the server
 */
public record CommandCount(long calls, long micros) {

    private static final CommandCount NONE = new CommandCount(0, 0);

    /** Returns the difference of two counts, without commands that did not run. */
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
