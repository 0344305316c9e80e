// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.console.autoconfigure;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says at start to whom the console is open, and what to do where it is open to nobody or to everybody. */
final class ConsoleOpening {

    private static final Logger log = LoggerFactory.getLogger(ConsoleOpening.class);

    private ConsoleOpening() {}

    static void tell(DelayQueueConsoleProperties properties, boolean isSecured) {
        String path = properties.path();
        if (!properties.roles().isEmpty()) {
            log.info("The console at {} is open to those who have one of the roles {}", path, properties.roles());
        } else if (properties.exposed() && !isSecured) {
            log.warn(
                    "The console at {} is open to everybody who reaches this application, and lets them change tasks, because"
                            + " delayqueue.console.exposed is true and there is no Spring Security. Keep the path from other"
                            + " networks, or add spring-boot-starter-security and a rule for it",
                    path);
        } else if (properties.exposed()) {
            log.info(
                    "The console at {} is open to everybody whom the application's security lets through, also without"
                            + " having signed in, because delayqueue.console.exposed is true",
                    path);
        } else if (isSecured) {
            log.info(
                    "The console at {} is open to those who have signed in and whom a rule of the application's security for"
                            + " its path lets through. Without a rule for that path alone it is closed",
                    path);
        } else {
            log.warn(
                    "The console at {} is closed and answers 404, because nothing says who may see it. Add"
                            + " spring-boot-starter-security and a rule for {}/**, or set delayqueue.console.exposed to true"
                            + " where nobody but its users reaches the application",
                    path,
                    path);
        }
    }
}
