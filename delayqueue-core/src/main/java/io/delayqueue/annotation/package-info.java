// SPDX-License-Identifier: Apache-2.0
/** Annotations that make bean methods handlers of due tasks. */
@NullMarked
package io.delayqueue.annotation;

import org.jspecify.annotations.NullMarked;
