// SPDX-License-Identifier: Apache-2.0
/** A shop whose unpaid orders time out. */
@NullMarked
package io.delayqueue.sample;

import org.jspecify.annotations.NullMarked;
