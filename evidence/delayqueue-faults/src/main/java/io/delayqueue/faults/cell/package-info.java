// SPDX-License-Identifier: Apache-2.0
/** Cells of the fault matrix: one fault each, done to servers and applications that work, and what came of it. */
@NullMarked
package io.delayqueue.faults.cell;

import org.jspecify.annotations.NullMarked;
