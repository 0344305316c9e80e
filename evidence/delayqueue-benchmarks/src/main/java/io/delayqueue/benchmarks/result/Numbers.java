// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.result;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;

/** Writes numbers with as many digits as say something. */
final class Numbers {

    /** More tell a double from no other. */
    private static final int MOST_DECIMALS = 17;

    private Numbers() {}

    static String text(double value) {
        double size = Math.abs(value);
        if (size >= 100 || value == Math.rint(value)) {
            return String.format(Locale.ROOT, "%,.0f", value);
        }
        if (size < 0.1) {
            return BigDecimal.valueOf(value).round(new MathContext(2)).toPlainString();
        }
        return String.format(Locale.ROOT, size >= 10 ? "%.1f" : "%.2f", value);
    }

    /** With as many digits more as show on which side of the bound the value is. */
    static String beside(double bound, double value) {
        String text = text(value);
        int decimals = text.contains(".") ? text.length() - text.indexOf('.') - 1 : 0;
        while (decimals < MOST_DECIMALS && side(bound, read(text)) != side(bound, value)) {
            decimals++;
            text = String.format(Locale.ROOT, "%,." + decimals + "f", value);
        }
        return text;
    }

    private static int side(double bound, double value) {
        return Integer.signum(Double.compare(value, bound));
    }

    private static double read(String text) {
        return Double.parseDouble(text.replace(",", ""));
    }
}
