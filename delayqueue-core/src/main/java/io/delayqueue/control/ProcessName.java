// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.control;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** How this process is told from others by people. */
final class ProcessName {

    /** Read once: a resolver may be slow. */
    static final String HOST = host();

    private ProcessName() {}

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException ex) {
            return "unknown-host";
        }
    }
}
