// SPDX-License-Identifier: Apache-2.0
/** An application that delays messages for producers in any language. */
@NullMarked
package io.delayqueue.relay;

import org.jspecify.annotations.NullMarked;
