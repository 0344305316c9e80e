// SPDX-License-Identifier: Apache-2.0
/** Threads, steps that may throw anything and end nothing but themselves, and work that one thread does at a time. */
@NullMarked
package io.delayqueue.internal.concurrent;

import org.jspecify.annotations.NullMarked;
