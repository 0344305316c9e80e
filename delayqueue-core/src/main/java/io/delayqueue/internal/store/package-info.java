// SPDX-License-Identifier: Apache-2.0
/** The seam between the engine and whatever keeps the tasks: one method per script. */
@NullMarked
package io.delayqueue.internal.store;

import org.jspecify.annotations.NullMarked;
