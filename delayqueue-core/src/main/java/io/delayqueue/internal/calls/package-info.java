// SPDX-License-Identifier: Apache-2.0
/** A call to the store from an application: its threads, its time limit, and what its failures mean. */
@NullMarked
package io.delayqueue.internal.calls;

import org.jspecify.annotations.NullMarked;
