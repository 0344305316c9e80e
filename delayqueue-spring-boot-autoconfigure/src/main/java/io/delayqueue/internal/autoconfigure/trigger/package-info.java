// SPDX-License-Identifier: Apache-2.0
/** Which trigger scans which queue, and triggers made of properties. */
@NullMarked
package io.delayqueue.internal.autoconfigure.trigger;

import org.jspecify.annotations.NullMarked;
