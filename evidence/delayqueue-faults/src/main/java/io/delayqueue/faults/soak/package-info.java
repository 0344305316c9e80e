// SPDX-License-Identifier: Apache-2.0
/** Hours of load with faults, during which the resources of an application must not grow. */
@NullMarked
package io.delayqueue.faults.soak;

import org.jspecify.annotations.NullMarked;
