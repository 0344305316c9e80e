// SPDX-License-Identifier: Apache-2.0
/** Plans and makes all runs of the fault matrix with several seeds, in portions, and records their outcomes. */
@NullMarked
package io.delayqueue.faults.campaign;

import org.jspecify.annotations.NullMarked;
