// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Drains the queue {@code drain} into an exchange, as its settings alone say. */
@SpringBootApplication
public class DrainApplication {

    /** The queue that is drained. */
    public static final String QUEUE = "drain";

    /** The line that says that the trigger runs. */
    static final String STARTED = "Started DrainApplication";

    public static void main(String[] args) {
        SpringApplication.run(DrainApplication.class, args);
    }
}
