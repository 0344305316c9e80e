// SPDX-License-Identifier: Apache-2.0
/** What comes from outside, checked and printed. */
@NullMarked
package io.delayqueue.internal.input;

import org.jspecify.annotations.NullMarked;
