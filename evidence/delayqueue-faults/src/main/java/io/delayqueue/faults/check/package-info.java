// SPDX-License-Identifier: Apache-2.0
/** Decides from the histories of a run and from what is left in Redis whether the library kept its word. */
@NullMarked
package io.delayqueue.faults.check;

import org.jspecify.annotations.NullMarked;
