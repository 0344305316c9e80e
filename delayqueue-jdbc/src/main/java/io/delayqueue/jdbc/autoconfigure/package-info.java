// SPDX-License-Identifier: Apache-2.0
/** Auto-configuration of the outbox and the inbox. */
@NullMarked
package io.delayqueue.jdbc.autoconfigure;

import org.jspecify.annotations.NullMarked;
