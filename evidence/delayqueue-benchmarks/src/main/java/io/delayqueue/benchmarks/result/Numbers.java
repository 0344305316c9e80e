// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.result;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;

/** Writes numbers with as many digits as say something. */
final class Numbers {

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
}
