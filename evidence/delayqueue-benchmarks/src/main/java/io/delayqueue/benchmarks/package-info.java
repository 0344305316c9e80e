// SPDX-License-Identifier: Apache-2.0
/** Measures this library and its peers side by side: the command. */
@NullMarked
package io.delayqueue.benchmarks;

import org.jspecify.annotations.NullMarked;
