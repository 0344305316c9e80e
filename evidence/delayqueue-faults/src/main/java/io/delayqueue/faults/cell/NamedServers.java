// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

/** Like {@link StandaloneServers}, but one server must be of a given product and version. */
final class NamedServers extends StandaloneServers {

    /**
     * Starts them.
     *
     * @param expected beginning of one of the {@link #versions}, such as {@code Valkey 8}
     * @throws IllegalStateException if no server has this product and version
     */
    NamedServers(String expected) {
        String versions = versions();
        if (!versions.contains(expected + ".")) {
            close();
            throw new IllegalStateException("This cell is for " + expected + ", and the servers are " + versions);
        }
    }
}
