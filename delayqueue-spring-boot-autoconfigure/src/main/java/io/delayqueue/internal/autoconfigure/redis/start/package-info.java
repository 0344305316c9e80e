// SPDX-License-Identifier: Apache-2.0
/** Checks the Redis servers at startup: reachability, version, eviction and permissions. */
@NullMarked
package io.delayqueue.internal.autoconfigure.redis.start;

import org.jspecify.annotations.NullMarked;
