// SPDX-License-Identifier: Apache-2.0
/**
 * Cells of the fault matrix. Each injects one fault into servers and applications under load and reports the result.
 */
@NullMarked
package io.delayqueue.faults.cell;

import org.jspecify.annotations.NullMarked;
