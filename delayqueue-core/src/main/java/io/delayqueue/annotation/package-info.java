// SPDX-License-Identifier: Apache-2.0
/** Methods of beans as handlers of due tasks. */
@NullMarked
package io.delayqueue.annotation;

import org.jspecify.annotations.NullMarked;
