// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console;

import java.util.List;
import java.util.UUID;

/**
 * Paths by which the application's security is asked whether it has a rule for the console. It has one if somebody who is known and
 * has no authority at all is refused at each of its own paths, and at none elsewhere. Who is refused everywhere tells nothing of
 * the console: each customer may have what it takes.
 *
 * @param own what the request asks for, and the root of the console
 * @param elsewhere the same with other names in place of the console's, at which there is nothing
 */
public record RulePaths(List<String> own, List<String> elsewhere) {

    /**
     * Paths behind the application's context path.
     *
     * @param before what comes before the console's path, such as a servlet's; may be empty
     * @param console the console's path
     * @param behind what the request asks for behind it, as it was sent
     */
    public static RulePaths of(String before, String console, String behind) {
        String other = console.replaceAll("[^/]+", UUID.randomUUID().toString());
        return new RulePaths(
                List.of(before + console + behind, before + console + "/"),
                List.of(before + other + behind, before + other + "/"));
    }
}
