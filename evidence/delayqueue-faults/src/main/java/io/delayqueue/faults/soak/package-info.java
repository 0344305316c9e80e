// SPDX-License-Identifier: Apache-2.0
/** Hours of load and faults, in which what an application holds must not grow. */
@NullMarked
package io.delayqueue.faults.soak;

import org.jspecify.annotations.NullMarked;
