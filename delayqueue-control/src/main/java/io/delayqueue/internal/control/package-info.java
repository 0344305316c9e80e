// SPDX-License-Identifier: Apache-2.0
/** Counts what a process delivers, for the minutes that all processes share. */
@NullMarked
package io.delayqueue.internal.control;

import org.jspecify.annotations.NullMarked;
