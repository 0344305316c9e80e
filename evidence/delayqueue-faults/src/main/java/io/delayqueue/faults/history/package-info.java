// SPDX-License-Identifier: Apache-2.0
/** The histories of a fault run. Each process writes its own file, which survives a kill. */
@NullMarked
package io.delayqueue.faults.history;

import org.jspecify.annotations.NullMarked;
