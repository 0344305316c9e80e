// SPDX-License-Identifier: Apache-2.0
/** Beans that scan a queue and hand its due tasks to a destination. */
@NullMarked
package io.delayqueue.trigger;

import org.jspecify.annotations.NullMarked;
