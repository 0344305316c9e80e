// SPDX-License-Identifier: Apache-2.0
/** The permissions of the Redis user. */
@NullMarked
package io.delayqueue.internal.redis.rights;

import org.jspecify.annotations.NullMarked;
