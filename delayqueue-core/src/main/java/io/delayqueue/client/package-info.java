// SPDX-License-Identifier: Apache-2.0
/** The operations that an application calls. */
@NullMarked
package io.delayqueue.client;

import org.jspecify.annotations.NullMarked;
