// SPDX-License-Identifier: Apache-2.0
/** Calls within a Spring transaction, which its outcome decides. */
@NullMarked
package io.delayqueue.internal.transaction;

import org.jspecify.annotations.NullMarked;
