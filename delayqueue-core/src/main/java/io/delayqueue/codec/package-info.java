// SPDX-License-Identifier: Apache-2.0
/** Turns payloads into bytes and back. */
@NullMarked
package io.delayqueue.codec;

import org.jspecify.annotations.NullMarked;
