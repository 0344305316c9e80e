// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.result;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The machine and the software of the measurements. */
public final class Machine {

    private static final List<String> LIBRARIES = List.of(
            "spring-boot",
            "spring-data-redis",
            "lettuce-core",
            "spring-rabbit",
            "amqp-client",
            "redisson",
            "rqueue-spring-boot-starter",
            "db-scheduler",
            "namastack-outbox-starter-jdbc",
            "netty-common");

    private Machine() {}

    /**
     * Returns the last commit that changed the measured code, without the outbox, with a plus if there are uncommitted
     * changes.
     */
    public static String library() {
        return System.getProperty("benchmark.library", "unknown");
    }

    /** Returns the last commit that changed the outbox, in the same form; empty if unknown. */
    static String outbox() {
        return System.getProperty("benchmark.outbox", "");
    }

    /**
     * Returns the last commit that changed the benchmark's own code, in the same form: workloads, subjects, and the
     * start of servers.
     */
    public static String harness() {
        return System.getProperty("benchmark.harness", "unknown");
    }

    static String processor() {
        return find("/proc/cpuinfo", "model name\\s*:\\s*(.*)") + ", "
                + Runtime.getRuntime().availableProcessors() + " cores";
    }

    /** Returns names and values, without the processor, which is stored with each run. */
    public static Map<String, String> describe() {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("date", LocalDate.now(ZoneOffset.UTC).toString());
        facts.put("memory", find("/proc/meminfo", "MemTotal:\\s*(.*)"));
        facts.put("system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        facts.put("Java", System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"));
        String classPath = System.getProperty("java.class.path") + ":" + System.getProperty("benchmark.rqueue", "");
        for (String library : LIBRARIES) {
            Matcher matcher =
                    Pattern.compile("/" + library + "-(\\d[^/:]*)\\.jar").matcher(classPath);
            if (matcher.find()) {
                facts.put(library, matcher.group(1));
            }
        }
        String bullmq = System.getProperty("benchmark.bullmq");
        if (bullmq != null) {
            facts.put("bullmq", bullmq);
        }
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
