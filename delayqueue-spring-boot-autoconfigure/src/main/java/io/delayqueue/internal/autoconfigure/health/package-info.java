// SPDX-License-Identifier: Apache-2.0
/** The health contributor {@code delayqueue}. */
@NullMarked
package io.delayqueue.internal.autoconfigure.health;

import org.jspecify.annotations.NullMarked;
