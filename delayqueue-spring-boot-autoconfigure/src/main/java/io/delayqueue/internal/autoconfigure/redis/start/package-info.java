// SPDX-License-Identifier: Apache-2.0
/** The check of the Redis servers at start: unavailable or outdated servers, key eviction and missing permissions. */
@NullMarked
package io.delayqueue.internal.autoconfigure.redis.start;

import org.jspecify.annotations.NullMarked;
