// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.control;

import java.security.Principal;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * On whose behalf something is read or done.
 *
 * @param name what audit entries call them
 * @param principal who was authenticated; with Spring Security that is the {@code Authentication}. Null for nobody
 * @param roles tells whether they have a role
 */
public record Caller(String name, @Nullable Principal principal, Predicate<String> roles) {

    /** Somebody who was not authenticated and has no role. */
    public static Caller unknown(String name) {
        return new Caller(name, null, role -> false);
    }

    /** Somebody who was authenticated; the name is the principal's. */
    public static Caller of(Principal principal, Predicate<String> roles) {
        return new Caller(String.valueOf(principal.getName()), principal, roles);
    }

    /** Whether they have this role. */
    public boolean isInRole(String role) {
        return roles.test(role);
    }
}
