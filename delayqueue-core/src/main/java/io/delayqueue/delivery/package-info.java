// SPDX-License-Identifier: Apache-2.0
/**
 * What stands between the engine and a destination of due tasks: implement these to deliver elsewhere or to look on.
 */
@NullMarked
package io.delayqueue.delivery;

import org.jspecify.annotations.NullMarked;
