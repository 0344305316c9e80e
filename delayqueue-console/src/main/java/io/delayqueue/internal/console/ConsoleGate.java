// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console;

import io.delayqueue.control.Caller;
import io.delayqueue.internal.control.web.TrustedHosts;
import java.util.List;
import java.util.Set;

/**
 * Decides who may enter the console: callers with one of the configured roles, or everybody if the application exposes it. Otherwise
 * it is closed. The permissions for queues are a separate question.
 *
 * @param exposed whether every caller whom the application lets through may enter
 * @param roles roles of which a caller needs one; empty for none
 * @param hosts host names under which unknown callers may enter
 */
public record ConsoleGate(boolean exposed, Set<String> roles, TrustedHosts hosts) {

    /** The decision about a request. */
    public enum Decision {
        LET_IN,
        /** The caller has not signed in. */
        UNKNOWN,
        /** The caller has not signed in, and asked for a host that may be another site's name for this one. */
        FOREIGN_HOST,
        WITHOUT_ROLE
    }

    /** Returns whether anybody may enter. */
    public boolean isOpen() {
        return exposed || !roles.isEmpty();
    }

    /**
     * Decides about a request to an open console.
     *
     * @param asked the hosts to which it was sent, according to the browser and to proxies, with or without a port
     */
    public Decision decide(Caller caller, List<String> asked) {
        boolean isKnown = caller.principal() != null;
        if (roles.isEmpty()) {
            return isKnown || hosts.trust(asked) ? Decision.LET_IN : Decision.FOREIGN_HOST;
        }
        if (!isKnown) {
            return Decision.UNKNOWN;
        }
        return roles.stream().anyMatch(caller::isInRole) ? Decision.LET_IN : Decision.WITHOUT_ROLE;
    }
}
