// SPDX-License-Identifier: Apache-2.0
/** Deliveries to handlers: the registry of handlers, their attempts and time limits. */
@NullMarked
package io.delayqueue.internal.handler;

import org.jspecify.annotations.NullMarked;
