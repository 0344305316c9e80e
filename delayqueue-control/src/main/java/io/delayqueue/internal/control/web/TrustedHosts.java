// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control.web;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Host names under which unauthenticated callers are served. Prevents DNS rebinding: another site can let its own host
 * name resolve to this application, so that its pages have the same origin. The browser then sends that host name,
 * which is neither {@code localhost} nor an IP address.
 */
public final class TrustedHosts {

    private static final Pattern PORT = Pattern.compile(":[0-9]*$");
    private static final Pattern IP_4 = Pattern.compile("[0-9]{1,3}([.][0-9]{1,3}){3}");
    private static final Pattern IP_6 = Pattern.compile("\\[[0-9a-f:.]+]|[0-9a-f.]*:[0-9a-f.]*:[0-9a-f:.]*");

    private final Set<String> names;

    /** @param names additional trusted names, without ports */
    public TrustedHosts(Set<String> names) {
        this.names = names.stream().map(name -> name.toLowerCase(Locale.ROOT)).collect(Collectors.toUnmodifiableSet());
    }

    /** Returns whether all of these hosts are trusted; {@code false} if the list is empty. */
    public boolean trust(List<String> hosts) {
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
