// SPDX-License-Identifier: Apache-2.0
/** Channels in confirm mode, and the broker's answers to batches. */
@NullMarked
package io.delayqueue.internal.rabbit.confirm;

import org.jspecify.annotations.NullMarked;
