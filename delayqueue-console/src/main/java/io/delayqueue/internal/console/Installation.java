// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console;

import org.jspecify.annotations.Nullable;

/**
 * The application name and environment that the console shows in its header.
 *
 * @param application name of the application
 * @param label the environment, such as "production"; null for none
 * @param path path of the console in the application
 * @param signOut path of the application that signs out, by a POST; null for none
 */
public record Installation(
        String application,
        @Nullable String label,
        String path,
        @Nullable String signOut) {

    /** Returns whether the label names a production environment, such as "production" or "prod-eu". */
    boolean isProduction() {
        return label != null && label.regionMatches(true, 0, "prod", 0, 4);
    }

    /** Returns the address to sign out, or null for none. */
    @Nullable
    String signOut(String base) {
        return signOut == null ? null : base.substring(0, base.length() - path.length()) + signOut;
    }
}
