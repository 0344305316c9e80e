// SPDX-License-Identifier: Apache-2.0
/** The exception that keeps an application from starting. */
@NullMarked
package io.delayqueue.internal.autoconfigure.failure;

import org.jspecify.annotations.NullMarked;
