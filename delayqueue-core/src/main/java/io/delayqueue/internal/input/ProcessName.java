// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.input;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Objects;

/** The name of this process, for display. */
public final class ProcessName {

    /** Maximum length of the name. Each part of a host name has up to 63 characters. */
    private static final int LONGEST = 80;

    /**
     * The name, {@code <pid>@<host>}, without blanks, slashes and unprintable characters. Determined once, because
     * looking up the host name may be slow.
     */
    public static final String OWN = of(ProcessHandle.current().pid(), host());

    private ProcessName() {}

    static String of(long pid, String host) {
        String name = pid + "@" + host.replaceAll("[^!-.0-~]", "_");
        return name.substring(0, Math.min(name.length(), LONGEST));
    }

    /**
     * Returns the host name. Uses the environment variable that containers set, if there is one, which avoids a lookup.
     */
    private static String host() {
        String given = Objects.requireNonNullElse(System.getenv("HOSTNAME"), "");
        if (!given.isBlank()) {
            return given;
        }
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException ex) {
            return "unknown-host";
        }
    }
}
