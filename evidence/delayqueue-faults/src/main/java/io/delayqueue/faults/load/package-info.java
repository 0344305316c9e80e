// SPDX-License-Identifier: Apache-2.0
/** An application that schedules, cancels, reschedules and handles tasks all the time, and writes down all it does. */
@NullMarked
package io.delayqueue.faults.load;

import org.jspecify.annotations.NullMarked;
