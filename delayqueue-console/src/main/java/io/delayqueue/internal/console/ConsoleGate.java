// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console;

import io.delayqueue.control.Caller;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Who may come in. Nobody, until the application has said so: by a rule of its security for the console, by roles, by a bean
 * that says who may do what with which queue, or by opening it to everybody.
 *
 * @param exposed whether whoever gets as far as here may come in
 * @param roles of which somebody needs one; empty for none
 * @param hasResolver whether a bean of the application says who may do what
 */
public record ConsoleGate(boolean exposed, Set<String> roles, boolean hasResolver) {

    /** What becomes of a request. */
    public enum Decision {
        /** It is answered. */
        LET_IN,
        /** Nobody knows who asks. */
        UNKNOWN,
        /** Somebody who has none of the roles. */
        WITHOUT_ROLE,
        /** Somebody is known, as is every customer maybe, and nothing says that the console is for them. */
        WITHOUT_RULE
    }

    /**
     * Decides on a request.
     *
     * @param hasRule whether the application's security has a rule for the console: one by which it refuses somebody who is
     *     known and has no authority at all. Asked only where it matters
     */
    public Decision decide(Caller caller, BooleanSupplier hasRule) {
        if (!roles.isEmpty()) {
            return caller.principal() == null
                    ? Decision.UNKNOWN
                    : roles.stream().anyMatch(caller::isInRole) ? Decision.LET_IN : Decision.WITHOUT_ROLE;
        }
        if (exposed) {
            return Decision.LET_IN;
        }
        if (caller.principal() == null) {
            return Decision.UNKNOWN;
        }
        return hasResolver || hasRule.getAsBoolean() ? Decision.LET_IN : Decision.WITHOUT_RULE;
    }
}
