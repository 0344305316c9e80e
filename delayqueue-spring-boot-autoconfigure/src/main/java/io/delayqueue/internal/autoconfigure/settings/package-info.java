// SPDX-License-Identifier: Apache-2.0
/** Binds the properties: what a queue inherits, which values and names are refused, and where one was set. */
@NullMarked
package io.delayqueue.internal.autoconfigure.settings;

import org.jspecify.annotations.NullMarked;
