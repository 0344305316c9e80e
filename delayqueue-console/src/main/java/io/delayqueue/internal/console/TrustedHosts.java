// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Hosts that cannot be another site's name for this one. A site may let its own name lead to this application, and its pages have
 * the same origin then; what they cannot choose is the name that the browser asks for. Nobody else's name is {@code localhost} or
 * an IP address.
 */
public final class TrustedHosts {

    private static final Pattern PORT = Pattern.compile(":[0-9]*$");
    private static final Pattern IP_4 = Pattern.compile("[0-9]{1,3}([.][0-9]{1,3}){3}");
    private static final Pattern IP_6 = Pattern.compile("\\[[0-9a-f:.]+]|[0-9a-f.]*:[0-9a-f.]*:[0-9a-f:.]*");

    private final Set<String> names;

    /** @param names of hosts that are trusted too, without ports */
    public TrustedHosts(Set<String> names) {
        this.names = names.stream().map(name -> name.toLowerCase(Locale.ROOT)).collect(Collectors.toUnmodifiableSet());
    }

    /** Whether all of them are trusted; never where there are none. */
    boolean trust(List<String> hosts) {
        return !hosts.isEmpty() && hosts.stream().allMatch(this::trusts);
    }

    private boolean trusts(String host) {
        String asked = host.toLowerCase(Locale.ROOT);
        if (IP_6.matcher(asked).matches()) {
            return true;
        }
        String name = PORT.matcher(asked).replaceFirst("");
        return name.equals("localhost")
                || IP_4.matcher(name).matches()
                || IP_6.matcher(name).matches()
                || names.contains(name);
    }
}
