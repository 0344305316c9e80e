// SPDX-License-Identifier: Apache-2.0
/** The library's connections to Redis: keys, calls of scripts, errors. */
@NullMarked
package io.delayqueue.internal.redis;

import org.jspecify.annotations.NullMarked;
