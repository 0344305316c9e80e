// SPDX-License-Identifier: Apache-2.0
/** Applications without some of the optional dependencies. */
@NullMarked
package io.delayqueue.modules;

import org.jspecify.annotations.NullMarked;
