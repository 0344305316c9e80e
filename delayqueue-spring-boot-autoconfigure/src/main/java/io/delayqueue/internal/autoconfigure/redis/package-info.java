// SPDX-License-Identifier: Apache-2.0
/** The library's own connection to Redis and its task store. */
@NullMarked
package io.delayqueue.internal.autoconfigure.redis;

import org.jspecify.annotations.NullMarked;
