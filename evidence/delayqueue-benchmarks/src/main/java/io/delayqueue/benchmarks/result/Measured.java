// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.result;

import java.util.List;

/**
 * What a subject measured in a round.
 *
 * @param value which counts
 * @param turns of which it is the median, in their order; empty where the subjects did not take turns
 */
record Measured(double value, List<Double> turns) {}
