// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.console.autoconfigure;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration properties of the console.
 *
 * @param enabled Whether the application has a console.
 * @param path Path of the console in the application, behind its context path.
 * @param roles Roles that open the console. A caller needs one of them.
 * @param exposed Whether the console is open to everybody whom the application lets through to its path, signed in or
 *     not. Ignored if there are roles.
 * @param hosts Host names under which an exposed console answers callers who have not signed in, such as
 *     "queues.internal". localhost and IP addresses always count.
 * @param label Name of the environment that the bar and the title show, such as "production".
 * @param signOut Path in the application to which the sign-out button posts, such as "/logout". Without it there is no button.
 */
@ConfigurationProperties("delayqueue.console")
public record DelayQueueConsoleProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("/delayqueue") String path,
        @DefaultValue Set<String> roles,
        @DefaultValue("false") boolean exposed,
        @DefaultValue Set<String> hosts,
        @Nullable String label,
        @Nullable String signOut) {}
