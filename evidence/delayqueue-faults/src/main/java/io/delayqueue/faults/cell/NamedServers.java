// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

/** As {@link StandaloneServers}, of which one has to be a certain product and version. */
final class NamedServers extends StandaloneServers {

    /**
     * Starts them.
     *
     * @param expected how one of {@link #versions} begins, as {@code Valkey 8}
     * @throws IllegalStateException if none does
     */
    NamedServers(String expected) {
        String versions = versions();
        if (!versions.contains(expected + ".")) {
            close();
            throw new IllegalStateException("This cell is for " + expected + ", and the servers are " + versions);
        }
    }
}
