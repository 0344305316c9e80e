// SPDX-License-Identifier: Apache-2.0
/** A TCP proxy that disturbs connections as a bad network does. */
@NullMarked
package io.delayqueue.faults.net;

import org.jspecify.annotations.NullMarked;
