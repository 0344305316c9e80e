// SPDX-License-Identifier: Apache-2.0
/**
 * Shows and controls queues for callers: permissions, an audit trail, and operations on all tasks that match a filter. The actuator
 * endpoint and the console use it.
 */
@NullMarked
package io.delayqueue.control;

import org.jspecify.annotations.NullMarked;
