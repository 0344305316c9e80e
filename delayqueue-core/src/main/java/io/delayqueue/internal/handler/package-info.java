// SPDX-License-Identifier: Apache-2.0
/** Delivers tasks to handlers: their registry, attempts and time limits. */
@NullMarked
package io.delayqueue.internal.handler;

import org.jspecify.annotations.NullMarked;
