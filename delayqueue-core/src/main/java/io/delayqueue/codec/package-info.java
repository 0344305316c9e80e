// SPDX-License-Identifier: Apache-2.0
/** Payload codecs. */
@NullMarked
package io.delayqueue.codec;

import org.jspecify.annotations.NullMarked;
