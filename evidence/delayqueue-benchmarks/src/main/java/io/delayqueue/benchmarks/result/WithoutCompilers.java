// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.result;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a flood has cost without the compilers' part. The less a process has done, the larger that part is: of four
 * processes that share the floods it is larger than of one that drains them alone.
 */
final class WithoutCompilers {

    private static final String ALL = "CPU of all a task";
    private static final String JVMS = "CPU of the JVMs a task";
    private static final String COMPILERS = "compilers' part of it";
    private static final String ALL_BUT_COMPILERS = "CPU of all but the compilers a task";

    private WithoutCompilers() {}

    /**
     * The same metrics, and behind what all cost that without the compilers. Their part is time on the clock: where it
     * is more than the JVMs took, it says nothing.
     */
    static Map<String, Double> added(Map<String, Double> metrics) {
        Map<String, Double> more = new LinkedHashMap<>();
        metrics.forEach((name, value) -> {
            more.put(name, value);
            if (name.startsWith(ALL)) {
                String flood = name.substring(ALL.length());
                double jvms = metrics.getOrDefault(JVMS + flood, Double.NaN);
                double compilers = metrics.getOrDefault(COMPILERS + flood, Double.NaN);
                if (compilers < jvms) {
                    more.put(ALL_BUT_COMPILERS + flood, value - compilers);
                }
            }
        });
        return more;
    }
}
