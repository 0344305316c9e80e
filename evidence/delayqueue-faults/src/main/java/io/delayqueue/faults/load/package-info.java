// SPDX-License-Identifier: Apache-2.0
/** An application that continuously schedules, cancels, reschedules and handles tasks, and records all its actions. */
@NullMarked
package io.delayqueue.faults.load;

import org.jspecify.annotations.NullMarked;
