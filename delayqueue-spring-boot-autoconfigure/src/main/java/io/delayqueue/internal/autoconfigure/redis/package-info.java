// SPDX-License-Identifier: Apache-2.0
/** The library's own connection to Redis and what keeps tasks there. */
@NullMarked
package io.delayqueue.internal.autoconfigure.redis;

import org.jspecify.annotations.NullMarked;
