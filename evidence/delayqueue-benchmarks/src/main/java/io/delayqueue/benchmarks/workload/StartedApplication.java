// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.workload;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.Callable;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * An application of W11 in a separate JVM. Reports the time from the start of the JVM until the application had
 * started, the processor time until then, and the lateness of its first task if it waits for one.
 */
final class StartedApplication {

    /** The beginning of the line with the report. */
    static final String SAID = "started ";

    private StartedApplication() {}

    /** The name of the configuration, and the application's own arguments. */
    public static void main(String[] arguments) throws Exception {
        var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        SpringApplication application = new SpringApplication(Class.forName(arguments[0]));
        application.setBannerMode(Banner.Mode.OFF);
        String[] own = List.of(arguments).subList(1, arguments.length).toArray(String[]::new);
        try (ConfigurableApplicationContext context = application.run(own)) {
            long millis = ManagementFactory.getRuntimeMXBean().getUptime();
            long cpuMillis = system.getProcessCpuTime() / 1_000_000;
            @SuppressWarnings("unchecked")
            Callable<Long> late =
                    context.containsBean("late") ? context.getBean("late", Callable.class) : () -> Long.valueOf(0);
            System.out.println(SAID + millis + " " + cpuMillis + " " + late.call());
        }
        System.exit(0);
    }
}
