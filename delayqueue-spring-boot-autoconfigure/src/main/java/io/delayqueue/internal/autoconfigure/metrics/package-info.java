// SPDX-License-Identifier: Apache-2.0
/** Meters of queues, deliveries and connections. */
@NullMarked
package io.delayqueue.internal.autoconfigure.metrics;

import org.jspecify.annotations.NullMarked;
