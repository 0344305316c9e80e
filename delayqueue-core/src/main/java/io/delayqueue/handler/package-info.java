// SPDX-License-Identifier: Apache-2.0
/** Hands due tasks to code of the application. */
@NullMarked
package io.delayqueue.handler;

import org.jspecify.annotations.NullMarked;
