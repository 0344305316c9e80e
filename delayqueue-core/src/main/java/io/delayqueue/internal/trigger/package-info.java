// SPDX-License-Identifier: Apache-2.0
/** State that triggers share. */
@NullMarked
package io.delayqueue.internal.trigger;

import org.jspecify.annotations.NullMarked;
