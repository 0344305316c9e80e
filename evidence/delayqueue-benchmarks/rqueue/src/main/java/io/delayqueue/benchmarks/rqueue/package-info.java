// SPDX-License-Identifier: Apache-2.0
/** Rqueue as a subject. */
@NullMarked
package io.delayqueue.benchmarks.rqueue;

import org.jspecify.annotations.NullMarked;
