// SPDX-License-Identifier: Apache-2.0
/** Observations and traces of calls and deliveries. */
@NullMarked
package io.delayqueue.internal.autoconfigure.tracing;

import org.jspecify.annotations.NullMarked;
