// SPDX-License-Identifier: Apache-2.0
/** Calls what may throw anything, so that whatever is thrown ends no more than the step that threw it. */
@NullMarked
package io.delayqueue.internal.concurrent;

import org.jspecify.annotations.NullMarked;
