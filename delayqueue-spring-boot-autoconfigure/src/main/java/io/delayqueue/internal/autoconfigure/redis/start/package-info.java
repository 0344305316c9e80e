// SPDX-License-Identifier: Apache-2.0
/** The check of the Redis servers at the start: what happens when Redis is down, too old, evicts keys or lacks rights. */
@NullMarked
package io.delayqueue.internal.autoconfigure.redis.start;

import org.jspecify.annotations.NullMarked;
