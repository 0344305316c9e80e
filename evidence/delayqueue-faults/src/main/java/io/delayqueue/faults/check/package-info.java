// SPDX-License-Identifier: Apache-2.0
/** Decides from the histories of a run and the remaining data in Redis whether the library kept its guarantees. */
@NullMarked
package io.delayqueue.faults.check;

import org.jspecify.annotations.NullMarked;
