// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.console.autoconfigure;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs at startup which callers may open the console. */
final class ConsoleOpening {

    private static final Logger log = LoggerFactory.getLogger(ConsoleOpening.class);

    private ConsoleOpening() {}

    static void tell(DelayQueueConsoleProperties properties, boolean isSecured) {
        String path = properties.path();
        if (!properties.roles().isEmpty()) {
            log.info("The console at {} is open to callers that have one of the roles {}", path, properties.roles());
        } else if (!properties.exposed()) {
            log.warn(
                    "The console at {} is closed. Name the roles that may use it in delayqueue.console.roles, or set "
                            + "delayqueue.console.exposed to true if only permitted users can reach that path",
                    path);
        } else if (isSecured) {
            log.info(
                    "The console at {} is open to every caller that the application's security allows, because"
                            + " delayqueue.console.exposed is true",
                    path);
        } else {
            log.warn(
                    "The console at {} is open to anyone who can reach this application, and lets them change tasks,"
                            + " because delayqueue.console.exposed is true and there is no Spring Security. Keep other"
                            + " networks away from the path, or add Spring Security and name roles in"
                            + " delayqueue.console.roles",
                    path);
        }
    }
}
