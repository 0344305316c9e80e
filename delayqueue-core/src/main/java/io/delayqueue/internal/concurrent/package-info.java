// SPDX-License-Identifier: Apache-2.0
/** Threads, serialized work, and guards for code that may throw anything. */
@NullMarked
package io.delayqueue.internal.concurrent;

import org.jspecify.annotations.NullMarked;
