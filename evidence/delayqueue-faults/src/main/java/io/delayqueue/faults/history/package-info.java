// SPDX-License-Identifier: Apache-2.0
/** What the processes of a fault run write down, each in a file of its own that survives a kill, and how it is read. */
@NullMarked
package io.delayqueue.faults.history;

import org.jspecify.annotations.NullMarked;
