// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.console.autoconfigure;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration properties of the console.
 *
 * @param enabled Whether to enable the console.
 * @param path Path of the console, relative to the application's context path.
 * @param roles Roles that may use the console. A caller needs one of them.
 * @param exposed Whether the console is open to every caller that the application's security allows, signed in or not.
 *     Ignored if roles are set.
 * @param hosts Host names that an exposed console accepts from anonymous callers, such as "queues.internal".
 *     "localhost" and IP addresses are always accepted.
 * @param label Name of the environment, such as "production". The console shows it in its header and title.
 * @param signOut Path to which the sign-out button posts, such as "/logout". Without it, there is no sign-out button.
 */
@ConfigurationProperties("delayqueue.console")
record DelayQueueConsoleProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("/delayqueue") String path,
        @DefaultValue Set<String> roles,
        @DefaultValue("false") boolean exposed,
        @DefaultValue Set<String> hosts,
        @Nullable String label,
        @Nullable String signOut) {}
