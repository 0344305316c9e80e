// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import io.delayqueue.internal.console.html.Numbers;
import io.delayqueue.internal.console.html.View;
import java.util.ArrayList;
import java.util.List;

/** A linear axis of counts with a few lines at round numbers. */
record Axis(long most, long step, int top, int bottom) {

    private static final int LINES = 4;

    static Axis upTo(long largest, int top, int bottom) {
        long step = 1;
        for (long power = 1; step * LINES < largest; power *= 10) {
            for (long factor : new long[] {1, 2, 5}) {
                step = factor * power;
                if (step * LINES >= largest) {
                    break;
                }
            }
        }
        long most = Math.max(step, (largest + step - 1) / step * step);
        return new Axis(most, step, top, bottom);
    }

    /** Returns the height of a column, at least a visible one unless it is empty. */
    double height(long count) {
        return count == 0 ? 0 : Math.max(2, (double) count / most * (bottom - top));
    }

    double y(double count) {
        return bottom - count / most * (bottom - top);
    }

    List<View> grid() {
        List<View> grid = new ArrayList<>();
        for (long value = 0; value <= most; value += step) {
            grid.add(line(y(value), Numbers.grouped(value)));
        }
        return grid;
    }

    static View line(double y, String label) {
        return View.of("gridY", Timeline.round(y))
                .with("gridTextY", Timeline.round(y + 4))
                .with("gridLabel", label);
    }
}
