// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.result;

import org.jspecify.annotations.Nullable;

/**
 * A target and how it went.
 *
 * @param target the target
 * @param own this library's values
 * @param base the peer's values, or null if there is none
 * @param measured the value or the ratio; NaN if the peer was not measured
 * @param met whether it was reached
 */
record Verdict(Target target, Summary own, @Nullable Summary base, double measured, boolean met) {

    /** The row in words. */
    String row() {
        return target.workload() + ", " + target.what() + ": " + Numbers.text(measured) + ", must be " + target;
    }
}
