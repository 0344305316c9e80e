// SPDX-License-Identifier: Apache-2.0
/** Chooses the codec of a payload and applies the upgrades of its version. */
@NullMarked
package io.delayqueue.internal.codec;

import org.jspecify.annotations.NullMarked;
