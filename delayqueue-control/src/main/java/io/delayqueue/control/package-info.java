// SPDX-License-Identifier: Apache-2.0
/**
 * Reads and controls queues on behalf of callers, with permissions, an audit trail, and operations on all tasks that
 * match a filter. Used by the actuator endpoint and the console.
 */
@NullMarked
package io.delayqueue.control;

import org.jspecify.annotations.NullMarked;
