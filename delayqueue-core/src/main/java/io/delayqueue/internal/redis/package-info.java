// SPDX-License-Identifier: Apache-2.0
/** Connections to Redis: keys, script calls and errors. */
@NullMarked
package io.delayqueue.internal.redis;

import org.jspecify.annotations.NullMarked;
