// SPDX-License-Identifier: Apache-2.0
/** Makes handlers of methods with {@link io.delayqueue.annotation.DelayQueueListener}. */
@NullMarked
package io.delayqueue.internal.listener;

import org.jspecify.annotations.NullMarked;
