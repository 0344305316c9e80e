// SPDX-License-Identifier: Apache-2.0
/** Makes methods annotated with {@link io.delayqueue.annotation.DelayQueueListener} handlers. */
@NullMarked
package io.delayqueue.internal.listener;

import org.jspecify.annotations.NullMarked;
