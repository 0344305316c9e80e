// SPDX-License-Identifier: Apache-2.0
/** Reads the properties: what a queue inherits, which values are refused, and where one was set. */
@NullMarked
package io.delayqueue.internal.autoconfigure.settings;

import org.jspecify.annotations.NullMarked;
