// SPDX-License-Identifier: Apache-2.0
/** Acquires due tasks, hands them to a destination and settles their outcomes. {@link Engine} is the entry point. */
@NullMarked
package io.delayqueue.internal.engine;

import org.jspecify.annotations.NullMarked;
