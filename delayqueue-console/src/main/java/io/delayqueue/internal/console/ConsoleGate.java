// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console;

import io.delayqueue.control.Caller;
import io.delayqueue.internal.control.web.TrustedHosts;
import java.util.List;
import java.util.Set;

/**
 * Decides who may enter the console: callers with a configured role, or every caller if the application exposes it.
 * Otherwise it is closed. Permissions for queues are separate.
 *
 * @param exposed whether all callers that the application admits may enter
 * @param roles roles with access; a caller needs one of them; empty for none
 * @param hosts host names that unknown callers may use
 */
public record ConsoleGate(boolean exposed, Set<String> roles, TrustedHosts hosts) {

    /** The decision about a request. */
    public enum Decision {
        LET_IN,
        /** The caller has not signed in. */
        UNKNOWN,
        /**
         * The caller has not signed in, and requested a host name that another site may have pointed at this server.
         */
        FOREIGN_HOST,
        WITHOUT_ROLE
    }

    public boolean isOpen() {
        return exposed || !roles.isEmpty();
    }

    /**
     * Decides on a request to an open console.
     *
     * @param asked the requested hosts, as reported by the browser and proxies, with or without a port
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
