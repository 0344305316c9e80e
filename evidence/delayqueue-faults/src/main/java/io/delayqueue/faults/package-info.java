// SPDX-License-Identifier: Apache-2.0
/** An application to be killed, and what starts and kills it. */
@NullMarked
package io.delayqueue.faults;

import org.jspecify.annotations.NullMarked;
