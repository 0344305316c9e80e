// SPDX-License-Identifier: Apache-2.0
/** Publishes so that messages and addresses that fail hold up no others. */
@NullMarked
package io.delayqueue.internal.rabbit.isolation;

import org.jspecify.annotations.NullMarked;
