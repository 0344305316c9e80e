// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import io.delayqueue.internal.console.html.View;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A small chart of stacked bars with two parts each. */
final class Spark {

    /** Usual number of bars. */
    static final int BARS = 20;

    private static final int HEIGHT = 24;
    private static final double STEP = 4.2;

    private Spark() {}

    static List<View> bars(List<Long> counts) {
        return bars(counts, Collections.nCopies(counts.size(), 0L));
    }

    static List<View> bars(List<Long> lower, List<Long> upper) {
        long most = 1;
        for (int i = 0; i < lower.size(); i++) {
            most = Math.max(most, lower.get(i) + upper.get(i));
        }
        List<View> bars = new ArrayList<>();
        for (int i = 0; i < lower.size(); i++) {
            if (lower.get(i) + upper.get(i) > 0) {
                int low = height(lower.get(i), most);
                int up = height(upper.get(i), most);
                bars.add(View.of("x", Math.round(i * STEP * 10) / 10.0)
                        .with("y", HEIGHT - low)
                        .with("h", low)
                        .with("y2", Math.max(0, HEIGHT - low - up))
                        .with("h2", up));
            }
        }
        return bars;
    }

    private static int height(long count, long most) {
        return count == 0 ? 0 : Math.max(1, (int) Math.round((double) count / most * HEIGHT));
    }
}
