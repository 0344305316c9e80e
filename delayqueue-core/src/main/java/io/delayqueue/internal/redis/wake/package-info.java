// SPDX-License-Identifier: Apache-2.0
/** Wake signals and heartbeats between processes, over Redis channels. */
@NullMarked
package io.delayqueue.internal.redis.wake;

import org.jspecify.annotations.NullMarked;
