// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.html;

import java.util.Locale;

/** Formats numbers for people. */
public final class Numbers {

    private Numbers() {}

    /** Formats a number, such as 1,000,000. */
    public static String grouped(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /** Formats a number with its noun, such as "1 task" and "2 tasks". */
    public static String of(long number, String name) {
        return grouped(number) + " " + name + (number == 1 ? "" : "s");
    }

    /** Formats a share, such as "62 %", "1.7 %" and "0 %". */
    public static String percent(double share) {
        double percent = share * 100;
        return percent > 0 && percent < 10
                ? String.format(Locale.ROOT, "%.1f %%", percent)
                : Math.round(percent) + " %";
    }
}
