// SPDX-License-Identifier: Apache-2.0
/** Measurements, their targets, and the files with the results. */
@NullMarked
package io.delayqueue.benchmarks.result;

import org.jspecify.annotations.NullMarked;
