// SPDX-License-Identifier: Apache-2.0
/** Isolates failing messages and addresses from all others. */
@NullMarked
package io.delayqueue.internal.rabbit.isolation;

import org.jspecify.annotations.NullMarked;
