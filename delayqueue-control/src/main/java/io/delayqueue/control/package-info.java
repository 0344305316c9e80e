// SPDX-License-Identifier: Apache-2.0
/**
 * Seeing and steering queues on behalf of somebody: who may do what, what was done and by whom, and operations on all tasks
 * that a filter names. The actuator endpoint is made of it.
 */
@NullMarked
package io.delayqueue.control;

import org.jspecify.annotations.NullMarked;
