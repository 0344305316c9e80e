// SPDX-License-Identifier: Apache-2.0
/** Calls from an application to the store: threads, time limits and failures. */
@NullMarked
package io.delayqueue.internal.calls;

import org.jspecify.annotations.NullMarked;
