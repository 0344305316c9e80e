// SPDX-License-Identifier: Apache-2.0
/** Assigns triggers to queues, and creates triggers from properties. */
@NullMarked
package io.delayqueue.internal.autoconfigure.trigger;

import org.jspecify.annotations.NullMarked;
