// SPDX-License-Identifier: Apache-2.0
/**
 * Takes due tasks under lease, hands them to a destination and settles what became of them; {@link Engine} is its door.
 */
@NullMarked
package io.delayqueue.internal.engine;

import org.jspecify.annotations.NullMarked;
