// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.console.autoconfigure;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration properties of the console.
 *
 * @param enabled Whether there is a console.
 * @param path Where it is in the application: behind its context path, and before what a proxy puts in front of that.
 * @param exposed Whether everybody may use it whom the application lets through to its path, without having signed in.
 * @param hosts Host names under which an exposed console answers those who have not signed in, such as
 *     "queues.internal". localhost and IP addresses always count. So a page of another site, whose name leads here, is
 *     refused.
 * @param roles Roles that open the console; who uses it needs one of them. None by default: then a rule of the
 *     application's security for the path says who may.
 * @param csrfSecret Signs the tokens in its forms where Spring Security does not protect them. 16 characters
 *     at least, the same in all processes behind a load balancer; a random one by default.
 */
@ConfigurationProperties("delayqueue.console")
public record DelayQueueConsoleProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("/delayqueue") String path,
        @DefaultValue("false") boolean exposed,
        @DefaultValue Set<String> hosts,
        @DefaultValue Set<String> roles,
        @Nullable String csrfSecret) {

    /** Without the secret. */
    @Override
    public String toString() {
        return "DelayQueueConsoleProperties[path=" + path + ", exposed=" + exposed + ", roles=" + roles + "]";
    }
}
