// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console;

import org.jspecify.annotations.Nullable;

/**
 * The application and environment of the console, for its bar.
 *
 * @param application the name of the application
 * @param label the environment, such as "production"; null for none
 * @param path the path of the console in the application
 * @param signOut the path in the application that signs a caller out by POST; null for none
 */
public record Installation(
        String application,
        @Nullable String label,
        String path,
        @Nullable String signOut) {

    /** Returns the address to sign out, or null for none. */
    @Nullable
    String signOut(String base) {
        return signOut == null ? null : base.substring(0, base.length() - path.length()) + signOut;
    }
}
