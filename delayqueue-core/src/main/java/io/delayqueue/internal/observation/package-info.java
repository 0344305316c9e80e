// SPDX-License-Identifier: Apache-2.0
/** Keys of the contexts of observations of calls and deliveries. */
@NullMarked
package io.delayqueue.internal.observation;

import org.jspecify.annotations.NullMarked;
