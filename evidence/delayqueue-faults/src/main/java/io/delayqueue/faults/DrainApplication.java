// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;

/** Drains the queue {@code drain} into an exchange, as its settings alone say. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class DrainApplication {

    /** The queue that is drained. */
    public static final String QUEUE = "drain";

    /** The line that says that the trigger runs. */
    static final String STARTED = "Started DrainApplication";

    /** The profile that configures it. */
    static final String PROFILE = "drain";

    public static void main(String[] args) {
        new SpringApplicationBuilder(DrainApplication.class).profiles(PROFILE).run(args);
    }
}
