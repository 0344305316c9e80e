// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.memory;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How new a layout is, read from its stored form. */
final class LayoutEpoch {

    private static final Pattern FIRST_VERSION = Pattern.compile("1:\\d+");
    private static final Pattern SECOND_VERSION = Pattern.compile("2:(\\d{1,18}):.*");

    private LayoutEpoch() {}

    /** 0 for none; newer than all for one that cannot be read. */
    static long of(String layout) {
        if (layout.isEmpty()) {
            return 0;
        }
        if (FIRST_VERSION.matcher(layout).matches()) {
            return 1;
        }
        Matcher second = SECOND_VERSION.matcher(layout);
        return second.matches() ? Long.parseLong(second.group(1)) : Long.MAX_VALUE;
    }
}
