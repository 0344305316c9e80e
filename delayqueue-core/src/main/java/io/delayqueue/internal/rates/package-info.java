// SPDX-License-Identifier: Apache-2.0
/** Counts deliveries, and adds what this process has counted to what all have. */
@NullMarked
package io.delayqueue.internal.rates;

import org.jspecify.annotations.NullMarked;
