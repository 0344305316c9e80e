// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console;

import io.delayqueue.control.Caller;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Who may come in. Nobody, until the application has said so: by a rule of its security for the console, by roles, or by opening
 * it to everybody. What somebody may do with a queue is another question, and its answer opens nothing.
 *
 * @param exposed whether whoever gets as far as here may come in
 * @param roles of which somebody needs one; empty for none
 * @param hosts under whose names those come in who are not known
 */
public record ConsoleGate(boolean exposed, Set<String> roles, TrustedHosts hosts) {

    /** What becomes of a request. */
    public enum Decision {
        /** It is answered. */
        LET_IN,
        /** Nobody knows who asks. */
        UNKNOWN,
        /** Nobody knows who asks, and they ask for a host that may be another site's name for this one. */
        FOREIGN_HOST,
        /** Somebody who has none of the roles. */
        WITHOUT_ROLE,
        /** Somebody is known, as is every customer maybe, and nothing says that the console is for them. */
        WITHOUT_RULE
    }

    /**
     * Decides on a request.
     *
     * @param asked the hosts to which it was sent, as the browser and as proxies tell, with or without a port
     * @param hasRule whether the application's security has a {@linkplain RulePaths rule for the console}. Asked only where it
     *     matters
     */
    public Decision decide(Caller caller, List<String> asked, BooleanSupplier hasRule) {
        boolean isKnown = caller.principal() != null;
        if (!roles.isEmpty()) {
            return !isKnown
                    ? Decision.UNKNOWN
                    : roles.stream().anyMatch(caller::isInRole) ? Decision.LET_IN : Decision.WITHOUT_ROLE;
        }
        if (exposed) {
            return isKnown || hosts.trust(asked) ? Decision.LET_IN : Decision.FOREIGN_HOST;
        }
        if (!isKnown) {
            return Decision.UNKNOWN;
        }
        return hasRule.getAsBoolean() ? Decision.LET_IN : Decision.WITHOUT_RULE;
    }
}
