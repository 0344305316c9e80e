// SPDX-License-Identifier: Apache-2.0
/** Measurements, their targets and how they are written down. */
@NullMarked
package io.delayqueue.benchmarks.result;

import org.jspecify.annotations.NullMarked;
