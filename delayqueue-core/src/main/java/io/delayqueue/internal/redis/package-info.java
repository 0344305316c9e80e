// SPDX-License-Identifier: Apache-2.0
/** Keeps tasks in Redis: keys, scripts, formats and the connection they use. */
@NullMarked
package io.delayqueue.internal.redis;

import org.jspecify.annotations.NullMarked;
