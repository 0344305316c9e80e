// SPDX-License-Identifier: Apache-2.0
/**
 * Reads and changes queues on behalf of callers for the endpoint and the console, and counts deliveries over
 * all processes.
 */
@NullMarked
package io.delayqueue.internal.control;

import org.jspecify.annotations.NullMarked;
