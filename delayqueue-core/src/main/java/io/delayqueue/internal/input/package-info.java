// SPDX-License-Identifier: Apache-2.0
/** Validation and formatting of external text. */
@NullMarked
package io.delayqueue.internal.input;

import org.jspecify.annotations.NullMarked;
