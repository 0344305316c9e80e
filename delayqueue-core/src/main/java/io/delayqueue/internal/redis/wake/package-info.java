// SPDX-License-Identifier: Apache-2.0
/** Says to other processes that there is work, and who is there, over Redis channels. */
@NullMarked
package io.delayqueue.internal.redis.wake;

import org.jspecify.annotations.NullMarked;
