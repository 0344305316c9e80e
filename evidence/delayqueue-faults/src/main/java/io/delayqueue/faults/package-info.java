// SPDX-License-Identifier: Apache-2.0
/** An application process that tests start and kill. */
@NullMarked
package io.delayqueue.faults;

import org.jspecify.annotations.NullMarked;
