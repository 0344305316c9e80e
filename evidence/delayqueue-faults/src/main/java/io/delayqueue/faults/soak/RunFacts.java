// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.soak;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The facts about a run.
 *
 * @param from beginning of its first quarter, in the time of {@link io.delayqueue.faults.history.Entry#micros()}
 * @param seconds planned length
 * @param betweenSeconds time from one fault to the next
 * @param seed seed that reproduces the same faults
 * @param facts environment and settings, by name
 */
record RunFacts(long from, long seconds, long betweenSeconds, long seed, Map<String, String> facts) {

    static Map<String, String> here(String servers) {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("commit", System.getProperty("soak.commit", "unknown"));
        facts.put("begun", LocalDateTime.now(ZoneOffset.UTC).truncatedTo(ChronoUnit.MINUTES) + " UTC");
        facts.put(
                "processor",
                find("/proc/cpuinfo", "model name\\s*:\\s*(.*)") + ", "
                        + Runtime.getRuntime().availableProcessors() + " cores");
        facts.put("memory", find("/proc/meminfo", "MemTotal:\\s*(.*)"));
        facts.put("system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        facts.put("Java", System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"));
        facts.put("servers", servers);
        return facts;
    }

    private static String find(String file, String pattern) {
        try {
            Matcher matcher = Pattern.compile(pattern).matcher(Files.readString(Path.of(file)));
            return matcher.find() ? matcher.group(1).strip() : "unknown";
        } catch (IOException ex) {
            return "unknown";
        }
    }
}
