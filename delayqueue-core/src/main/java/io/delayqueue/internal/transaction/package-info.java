// SPDX-License-Identifier: Apache-2.0
/** Calls that are made within a transaction of Spring's, and decided with it. */
@NullMarked
package io.delayqueue.internal.transaction;

import org.jspecify.annotations.NullMarked;
