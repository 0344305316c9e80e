// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.control;

import java.security.Principal;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A user or tool that makes a call.
 *
 * @param name the name in audit entries
 * @param principal the authenticated principal ({@code Authentication} with Spring Security); null if there is none
 * @param roles returns whether the caller has a role
 */
public record Caller(String name, @Nullable Principal principal, Predicate<String> roles) {

    /** Returns an unauthenticated caller without roles. */
    public static Caller unknown(String name) {
        return new Caller(name, null, role -> false);
    }

    /** Returns an authenticated caller with the name of the principal. */
    public static Caller of(Principal principal, Predicate<String> roles) {
        return new Caller(String.valueOf(principal.getName()), principal, roles);
    }

    /** Returns whether the caller has this role. */
    public boolean isInRole(String role) {
        return roles.test(role);
    }
}
