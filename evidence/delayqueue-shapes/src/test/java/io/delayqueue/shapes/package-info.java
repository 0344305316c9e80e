// SPDX-License-Identifier: Apache-2.0
/** Applications that the starter must leave as they are. */
@NullMarked
package io.delayqueue.shapes;

import org.jspecify.annotations.NullMarked;
