// SPDX-License-Identifier: Apache-2.0
/** Auto-configuration of delay queues from properties. */
@NullMarked
package io.delayqueue.autoconfigure;

import org.jspecify.annotations.NullMarked;
