// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.console.autoconfigure;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration properties of the console.
 *
 * @param enabled Whether the console is enabled.
 * @param path Path of the console, relative to the application's context path.
 * @param roles Roles that may use the console. A caller needs only one of them.
 * @param exposed Whether the console is open to every caller that your security lets through, signed in or not. Ignored
 *     if you set roles.
 * @param hosts Additional host names under which anonymous callers may reach an exposed console, besides localhost and
 *     IP addresses.
 * @param label Name of the environment, such as 'production', shown in the header and the title.
 * @param signOut Path to which the sign-out button posts, such as '/logout'. Without it, there is no sign-out button.
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
