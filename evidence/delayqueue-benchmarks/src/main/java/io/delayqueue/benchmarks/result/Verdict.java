// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.result;

import org.jspecify.annotations.Nullable;

/**
 * A target and how it went.
 *
 * @param target the target
 * @param own this library's values, or null if there are none
 * @param base the peer's values, or null if there are none or no peer
 * @param measured the values, the ratios or the differences, or null if it could not be judged
 */
record Verdict(
        Target target,
        @Nullable Summary own,
        @Nullable Summary base,
        @Nullable Summary measured) {

    /** What could not be judged was missed. */
    boolean isMet() {
        return measured != null && target.allows(measured.median());
    }

    /** The row in words. */
    String row() {
        return target.workload() + ", " + target.what() + ": " + measuredText() + ", must be " + target;
    }

    String measuredText() {
        return measured == null ? "not measured" : Numbers.text(measured.median());
    }
}
