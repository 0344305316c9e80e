// SPDX-License-Identifier: Apache-2.0
/**
 * All runs of the fault matrix with several seeds, in portions: what is left to do, and the records of what was done.
 */
@NullMarked
package io.delayqueue.faults.campaign;

import org.jspecify.annotations.NullMarked;
