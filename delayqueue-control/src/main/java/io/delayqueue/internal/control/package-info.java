// SPDX-License-Identifier: Apache-2.0
/** Counts a process's deliveries per minute, summed over all processes. */
@NullMarked
package io.delayqueue.internal.control;

import org.jspecify.annotations.NullMarked;
