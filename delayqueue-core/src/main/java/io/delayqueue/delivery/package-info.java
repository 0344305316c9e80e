// SPDX-License-Identifier: Apache-2.0
/**
 * The API between the engine and the destinations of due tasks. Implement it to deliver elsewhere or to observe
 * deliveries.
 */
@NullMarked
package io.delayqueue.delivery;

import org.jspecify.annotations.NullMarked;
