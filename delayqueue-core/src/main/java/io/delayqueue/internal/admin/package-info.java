// SPDX-License-Identifier: Apache-2.0
/** Implementation of {@link io.delayqueue.admin} with the task store. */
@NullMarked
package io.delayqueue.internal.admin;

import org.jspecify.annotations.NullMarked;
