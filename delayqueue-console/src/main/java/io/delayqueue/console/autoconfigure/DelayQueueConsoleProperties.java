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
 * @param path Path of the console, relative to the application's context path.
 * @param roles Roles that open the console. A single role is enough.
 * @param exposed Whether the console is open to every caller that the application's security allows, signed in or not.
 *     Ignored if roles are set.
 * @param hosts Host names that an exposed console accepts from anonymous callers, such as "queues.internal".
 *     "localhost" and IP addresses always count.
 * @param label Name of the environment that the bar and the title show, such as "production".
 * @param signOut Path that signs the user out, such as "/logout". The sign-out button posts to it. Without it there is
 *     no button.
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
