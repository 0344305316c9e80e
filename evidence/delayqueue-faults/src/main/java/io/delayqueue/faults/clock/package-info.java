// SPDX-License-Identifier: Apache-2.0
/** A server whose clock can be moved while it runs. */
@NullMarked
package io.delayqueue.faults.clock;

import org.jspecify.annotations.NullMarked;
