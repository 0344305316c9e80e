// SPDX-License-Identifier: Apache-2.0
/** Delivers due tasks to handlers in the application. */
@NullMarked
package io.delayqueue.handler;

import org.jspecify.annotations.NullMarked;
