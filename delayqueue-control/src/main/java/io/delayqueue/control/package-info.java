// SPDX-License-Identifier: Apache-2.0
/** Operations on all tasks that match a filter, permissions of callers, and the audit trail. */
@NullMarked
package io.delayqueue.control;

import org.jspecify.annotations.NullMarked;
