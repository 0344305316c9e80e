// SPDX-License-Identifier: Apache-2.0
/** Settings and names of queues. */
@NullMarked
package io.delayqueue.internal.queue;

import org.jspecify.annotations.NullMarked;
