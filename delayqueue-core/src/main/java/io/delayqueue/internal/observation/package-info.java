// SPDX-License-Identifier: Apache-2.0
/** What observations of calls and deliveries keep in their contexts. */
@NullMarked
package io.delayqueue.internal.observation;

import org.jspecify.annotations.NullMarked;
