// SPDX-License-Identifier: Apache-2.0
/** Whether a server can do, and its user may do, what the store needs. */
@NullMarked
package io.delayqueue.internal.redis.check;

import org.jspecify.annotations.NullMarked;
