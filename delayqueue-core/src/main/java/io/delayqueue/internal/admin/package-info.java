// SPDX-License-Identifier: Apache-2.0
/** What {@link io.delayqueue.admin} promises, done over the task store. */
@NullMarked
package io.delayqueue.internal.admin;

import org.jspecify.annotations.NullMarked;
