// SPDX-License-Identifier: Apache-2.0
/** Triggers: beans that scan a queue and deliver its due tasks to a destination. */
@NullMarked
package io.delayqueue.trigger;

import org.jspecify.annotations.NullMarked;
